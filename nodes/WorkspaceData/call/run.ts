import { deepCopy, type INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../client/envelope';
import { isCancelled } from '../../client/failures';
import { InputProblem } from '../../common/errors/node-errors';
import {
	hasNoneOf,
	incompleteOf,
	itemsOf,
	resultsOf,
	type Incomplete,
	type OutputForm,
} from '../results';
import type { Run } from '../run';
import { errorItem } from '../task';
import {
	incompleteHint,
	MORE_CALLS,
	nothingFoundHint,
	skippedByLimit,
	spendingHint,
	unkeptHints,
	wholeHint,
	whatWasDone,
} from './hints';
import type { ItemCall } from './parameters';
import { previewOf } from './preview';
import { isSurelyUnprocessed } from '../call-outcomes';
import { planCalls, type Plan } from './plan';
import { addBilledCalls } from './spending';

/** Plans all calls, then sends them, several at once; none if the node stops on errors and the plan shows one. */
export async function runCalls(run: Run): Promise<INodeExecutionData[]> {
	const plan = await planCalls(run);
	if (!plan.isPreview) return await new CallRun(run, plan).complete();
	const pairedItem = run.items.map((_, item) => ({ item }));
	return [{ json: await previewOf(plan), pairedItem }];
}

class CallRun {
	private readonly run: Run;
	private readonly plan: Plan;
	/** By input item. */
	private readonly output: INodeExecutionData[][];
	private readonly incomplete: Incomplete[] = [];
	/** Results that have none of the Output Fields. */
	private whole = 0;
	/** Calls of earlier tries. */
	private readonly before: number;
	/** How many of all calls are noted on the execution. */
	private noted: number;
	/** Items whose call the service surely did not process. */
	private unprocessed = 0;

	constructor(run: Run, plan: Plan) {
		this.run = run;
		this.plan = plan;
		this.output = run.items.map(() => []);
		this.before = this.noted = run.outcomes.sent;
	}

	async complete(): Promise<INodeExecutionData[]> {
		const { run, plan } = this;
		const { calls, results } = plan;
		try {
			await this.failUnsent();
		} catch (error) {
			throw withRemark(error, run.items.length > 1 ? nothingWasSent(this.before) : '');
		}
		const keepsResults = calls.some(([{ keeping }]) => keeping);
		try {
			await this.sendAll(keepsResults).finally(async () => await results.finish());
		} catch (error) {
			throw withRemark(error, whatWasDone(run, keepsResults && results));
		}
		this.showHints();
		return this.output.flat();
	}

	/** Where the node stops on errors, nothing is sent at all. */
	private async failUnsent(): Promise<void> {
		const { refused, skipped } = this.plan;
		for (const { index, error } of refused) await this.fail(index, error);
		const skips = this.run.context.continueOnFail() ? 'skipped' : 'would skip';
		const told = skippedByLimit(skipped, skips);
		for (const { index } of skipped) await this.fail(index, new InputProblem(told, MORE_CALLS));
	}

	private async sendAll(keepsResults: boolean): Promise<void> {
		const { answered, calls, results } = this.plan;
		for (const item of answered) await this.finish(item.outcome, [item], false);
		// What cannot be removed shows when a result cannot be written.
		if (keepsResults) await results.removeExpired().catch(() => undefined);
		const limiters = [...new Set(calls.map(([{ session }]) => session.rateLimiter))];
		const concurrency = (): number => Math.max(...limiters.map((one) => one.concurrency));
		await runPool(calls.length, concurrency, async (index) => await this.send(calls[index]));
	}

	private async send(call: ItemCall[]): Promise<void> {
		const outcome = this.run.outcomes.make(call, async () => await this.ask(call[0]));
		this.noteSent();
		await this.finish(outcome, call, call.length === 1).finally(() => this.noteSent());
	}

	/** At once, since n8n saves an execution that is cancelled before the node comes back. */
	private noteSent(): void {
		const { context, operation, outcomes } = this.run;
		const { sent } = outcomes;
		if (operation.repeat === 'billed') addBilledCalls(context, sent - this.noted);
		this.noted = sent;
	}

	private async ask({ session, request, limits, key, keeping }: ItemCall): Promise<unknown> {
		const answer = await session.client(request, limits);
		if (keeping) this.plan.results.keep(key, keeping, answer);
		return answer.body;
	}

	/** @param isOwn whether nothing else holds the answer: a later node that changes one item must not change its twins */
	private async finish(
		outcome: unknown,
		asked: ReadonlyArray<Pick<ItemCall, 'index' | 'form'>>,
		isOwn: boolean,
	): Promise<void> {
		const { operation, items } = this.run;
		try {
			const answer = await outcome;
			for (const { index, form } of asked) {
				if (operation.result === 'items') this.incomplete.push(...incompleteOf(answer));
				this.noteFields(answer, form);
				const part = isOwn ? answer : deepCopy(answer as object);
				this.output[index] = itemsOf(part, operation, form, { item: items[index], index });
			}
		} catch (error) {
			// Cancelled because another item failed; that failure is reported.
			if (isCancelled(error) && this.run.hasEnded) return;
			if (isSurelyUnprocessed(error)) this.unprocessed += asked.length;
			for (const { index } of asked) await this.fail(index, error);
		}
	}

	private noteFields(answer: unknown, { fields }: OutputForm): void {
		if (fields === undefined) return;
		const results = resultsOf(this.run.operation, answer).filter(isObject);
		this.run.missing.lookAt(results, fields);
		if (results.length > 0 && hasNoneOf(fields, results)) this.whole += 1;
	}

	/** Throws where the node stops on errors. */
	private async fail(index: number, error: unknown): Promise<void> {
		this.output[index].push(await errorItem(this.run, error, index));
	}

	private showHints(): void {
		const { run, plan, before, unprocessed } = this;
		const { items, outcomes } = run;
		const { name, repeat } = run.operation;
		const spent = { before, sent: outcomes.sent - before, unprocessed };
		const foundNothing = this.output.filter(({ length }) => length === 0).length;
		const hints = [
			nothingFoundHint(name, foundNothing, items.length),
			incompleteHint(name, this.incomplete),
			repeat === 'billed' ? spendingHint(plan, items.length, spent) : '',
			...unkeptHints(plan.results),
			wholeHint(this.whole),
		];
		for (const message of hints.filter(Boolean)) run.hint(message);
		run.missing.hint(run);
	}
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

/** Does tasks, as many at once as allowed now. After a failure no more start; that of the lowest index is thrown. */
export async function runPool(
	count: number,
	concurrency: () => number,
	work: (index: number) => Promise<void>,
): Promise<void> {
	const failures = new Map<number, unknown>();
	const underWay = new Set<number>();
	// Racing the promises under way instead would leave a handler on each slow one every time.
	let wake = (): void => {};
	const untilOneEnds = async () => await new Promise<void>((resolve) => (wake = resolve));
	for (let index = 0; index < count; index++) {
		while (underWay.size >= Math.max(1, concurrency())) await untilOneEnds();
		if (failures.size > 0) break;
		underWay.add(index);
		void work(index)
			.catch((error: unknown) => failures.set(index, error))
			.finally(() => underWay.delete(index) && wake());
	}
	while (underWay.size > 0) await untilOneEnds();
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
