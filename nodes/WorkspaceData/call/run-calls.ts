import { deepCopy, type INodeExecutionData } from 'n8n-workflow';

import { ServiceFailure } from '../../client/failures';
import { InputProblem } from '../../common/errors';
import { incompleteOf, itemsOf, type Incomplete } from '../output';
import type { NodeRun } from '../node-run';
import { counted, hint } from '../hints';
import { incompleteHint, nothingFoundHint, spendingHint, unkeptHints, whatWasDone } from './hints';
import { KeptResults } from './kept-results';
import { isSurelyUnprocessed, outcomesOf, type CallOutcomes } from './outcomes';
import type { ItemCall } from './parameters';
import { planCalls, previewOf, type Plan } from './plan';

/**
 * Does something for each input item: plans all calls, and then sends them, several at once. Where the node stops on
 * errors, it throws that of the first item that failed, and sends nothing if the plan shows one.
 */
export async function runCalls(nodeRun: NodeRun): Promise<INodeExecutionData[]> {
	const { context, operation, items } = nodeRun;
	const outcomes = outcomesOf(context, operation);
	const results = new KeptResults(context);
	const plan = await planCalls(nodeRun, outcomes, results);
	if (!plan.isPreview) return await carryOut(nodeRun, plan, outcomes, results);
	const pairedItem = items.map((_, item) => ({ item }));
	return [{ json: await previewOf(plan, nodeRun), pairedItem }];
}

/** Sends the calls of a plan, and returns what comes out, in the order of the input. */
async function carryOut(
	nodeRun: NodeRun,
	plan: Plan,
	outcomes: CallOutcomes,
	results: KeptResults,
): Promise<INodeExecutionData[]> {
	const { context, operation, items } = nodeRun;
	const { calls, known, kept, refused, skipped } = plan;
	const keepsResults = calls.some(([{ days }]) => days);
	const output = items.map((): INodeExecutionData[] => []);
	const before = outcomes.sent;
	const incomplete: Incomplete[] = [];
	let unprocessed = 0;

	const fail = async (index: number, error: unknown): Promise<void> => {
		output[index].push(await nodeRun.errorItem(error, index));
	};

	/** Returns an answer, or a failure, for all items that it belongs to. */
	const finish = async (
		outcome: Promise<unknown>,
		isOwn: boolean,
		asked: ReadonlyArray<Pick<ItemCall, 'index' | 'form'>>,
	): Promise<void> => {
		try {
			const answer = await outcome;
			for (const { index, form } of asked) {
				if (operation.result === 'items') incomplete.push(...incompleteOf(answer));
				// A later node that changes one item shall not change its twins, or what is remembered.
				const part = isOwn ? answer : deepCopy(answer as object);
				output[index] = itemsOf(part, operation, form, { item: items[index], index });
			}
		} catch (error) {
			// Given up because of another item's failure, which is the one to tell.
			const isCancelled = error instanceof ServiceFailure && error.kind === 'cancelled';
			if (isCancelled && nodeRun.isOver) return;
			if (isSurelyUnprocessed(error)) unprocessed += asked.length;
			for (const { index } of asked) await fail(index, error);
		}
	};

	const sendCall = async (call: ItemCall[]): Promise<void> => {
		const [{ session, request, limits, key, days }] = call;
		const outcome = outcomes.make(call, async () => {
			session.throwIfCancelled();
			const isWanted = (): boolean => !nodeRun.isOver;
			const answer = await session.client(request, limits, isWanted);
			if (days) results.keep(key, days, answer);
			return answer.body;
		});
		await finish(outcome, call.length === 1, call);
	};

	const sendAll = async (): Promise<void> => {
		for (const item of [...known, ...kept]) await finish(item.outcome, false, [item]);
		// What cannot be removed shows when a result cannot be written.
		if (keepsResults) await results.removeExpired().catch(() => undefined);
		const limiters = [...new Set(calls.map(([{ session }]) => session.rateLimiter))];
		const concurrency = (): number =>
			Math.max(...limiters.map((rateLimiter) => rateLimiter.concurrency));
		await runPool(calls.length, concurrency, async (place) => await sendCall(calls[place]));
	};

	try {
		for (const { index, error } of refused) await fail(index, error);
		for (const { index } of skipped)
			await fail(index, tooManyCalls(skipped, context.continueOnFail()));
	} catch (error) {
		throw withRemark(error, items.length > 1 ? nothingWasSent(before) : '');
	}
	try {
		await sendAll().finally(async () => await results.finish());
	} catch (error) {
		throw withRemark(error, whatWasDone(operation, outcomes, keepsResults && results));
	}
	const spent = { before, sent: outcomes.sent - before, unprocessed };
	const foundNothing = output.filter(({ length }) => length === 0).length;
	const hints = [
		...nothingFoundHint(operation.name, foundNothing, items.length),
		...incompleteHint(operation.name, incomplete),
		...(operation.repeat === 'billed' ? [spendingHint(plan, items.length, spent)] : []),
		...unkeptHints(results),
	];
	for (const message of hints) hint(context, message);
	return output.flat();
}

function tooManyCalls(skipped: ItemCall[], continues: boolean): InputProblem {
	return new InputProblem(
		`Max Calls (${skipped.at(-1)?.maxCalls}) ${continues ? 'skipped' : 'would skip'} ${counted(skipped.length, 'item')}`,
		'To send more, raise Max Calls in this node or remove it.',
	);
}

function nothingWasSent(before: number): string {
	const nothing = before > 0 ? 'This try sent nothing' : 'Nothing was sent';
	return `${nothing}, because this node stops on errors. To send the other items all the same, set On Error to Continue in its settings.`;
}

/** Adds what has become of the other items to the node error that ends the node. */
function withRemark(error: unknown, remark: string): unknown {
	const nodeError = error as Error & { description?: string };
	const { message, description } = nodeError;
	if (remark === '') return error;
	// A model gets the message alone.
	if (description) nodeError.description = `${description} ${remark}`;
	else nodeError.message = `${message.replace(/\.$/, '')}. ${remark}`;
	return error;
}

/**
 * Works through `count` tasks in order, several at once; `concurrency` is asked before each start, so it may change. When
 * one fails no further one is started; those under way are waited for, since a request that was sent must not be
 * forgotten. Throws what the failed task with the lowest index threw.
 */
export async function runPool(
	count: number,
	concurrency: () => number,
	work: (index: number) => Promise<void>,
): Promise<void> {
	const failures = new Map<number, unknown>();
	let underWay = 0;
	// Racing the promises under way instead would leave a handler on each slow one every time.
	let wake = (): void => {};
	const untilOneEnds = async (): Promise<void> => {
		await new Promise<void>((resolve) => (wake = resolve));
	};
	for (let index = 0; index < count; index++) {
		while (underWay >= Math.max(1, concurrency())) await untilOneEnds();
		if (failures.size > 0) break;
		underWay += 1;
		void work(index)
			.catch((error: unknown) => failures.set(index, error))
			.finally(() => {
				underWay -= 1;
				wake();
			});
	}
	while (underWay > 0) await untilOneEnds();
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
