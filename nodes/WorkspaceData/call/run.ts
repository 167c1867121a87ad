import { deepCopy, type INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../client/envelope';
import { isCancelled } from '../../client/failures';
import type { RateLimiter } from '../../client/rate-limiter';
import { InputProblem } from '../../common/errors/node-errors';
import { keepFields } from '../../common/panel/kept-fields';
import { hintOnLongNumbers } from '../list/hints';
import {
	hasNoneOf,
	incompleteOf,
	itemsOf,
	resultsOf,
	SENT_AS_TEXT,
	type Incomplete,
	type OutputForm,
} from '../results';
import type { Run } from '../run';
import { errorItem } from '../task';
import {
	addBilledCalls,
	changingDataHint,
	emptyFieldsHint,
	incompleteHint,
	MORE_CALLS,
	noResultHint,
	nothingFoundHint,
	skippedByLimit,
	spendingHint,
	unkeptHints,
	wholeHint,
	whatWasDone,
	type Spent,
} from './hints';
import { holdsResult, KeptResults } from './kept-results';
import type { ItemCall } from './parameters';
import { previewOf } from './preview';
import { isUnpaid, type Answer } from '../call-outcomes';
import { planCalls, type Plan } from './plan';

/** Plans all calls, then sends them, several at once; none if the node stops on errors and the plan shows one. */
export async function runCalls(run: Run): Promise<INodeExecutionData[]> {
	const results = new KeptResults(run);
	try {
		const plan = await planCalls(run, results);
		if (!plan.isPreview) return await new CallRun(run, plan).complete();
		// Nobody looks at what a scheduled run returns.
		if (run.context.getMode() !== 'manual')
			run.warn("Nothing was sent: turn off 'Preview Only' in this node to send the calls.");
		const pairedItem = run.items.map((_, item) => ({ item }));
		return [{ json: await previewOf(plan), pairedItem }];
	} finally {
		results.shared.release();
	}
}

class CallRun {
	private readonly run: Run;
	private readonly plan: Plan;
	/** By input item. */
	private readonly output: INodeExecutionData[][];
	/** Told of at the end: what an error means depends on whether other calls were answered. */
	private readonly failed: Array<{ index: number; error: unknown }> = [];
	private readonly incomplete: Incomplete[] = [];
	/** Results that have none of the Output Fields. */
	private whole = 0;
	/** The statuses of answers without a result. */
	private readonly withoutResult: number[] = [];
	private readonly spent: Spent;
	/** How many of all calls are noted on the execution. */
	private noted: number;

	constructor(run: Run, plan: Plan) {
		this.run = run;
		this.plan = plan;
		this.output = run.items.map(() => []);
		this.noted = run.outcomes.sent;
		this.spent = { before: this.noted, twins: 0, unpaid: 0, fromOthers: 0, underWay: 0 };
	}

	async complete(): Promise<INodeExecutionData[]> {
		const { run, plan } = this;
		const { calls, results } = plan;
		try {
			await this.failUnsent();
		} catch (error) {
			throw withRemark(error, run.items.length > 1 ? NOTHING_SENT : '');
		}
		const keepsResults = calls.some(([{ keeping }]) => keeping);
		try {
			await this.sendAll(keepsResults).finally(async () => await results.finish());
		} catch (error) {
			throw withRemark(error, whatWasDone(run, keepsResults && results));
		}
		for (const { index, error } of this.failed)
			this.output[index].push(await errorItem(run, error, index));
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
		const send = async (index: number): Promise<void> => await this.send(calls[index]);
		await runPool(calls.length, limiters, send, this.run.signal);
	}

	private async send(call: ItemCall[]): Promise<void> {
		const { run, plan, spent } = this;
		const [{ key, keeping }] = call;
		let isSent = false;
		const make = async (): Promise<Answer> => {
			isSent = true;
			const outcome = run.outcomes.make(call, async () => await this.ask(call[0]));
			this.noteSent();
			return await outcome;
		};
		const outcome = keeping ? plan.results.askOnce(key, keeping, run.signal, make) : make();
		await outcome.then(
			() => (isSent ? (spent.twins += call.length - 1) : (spent.fromOthers += call.length)),
			(error: unknown) => this.noteFailure(error, call.length),
		);
		this.noteSent();
		await this.finish(outcome, call, call.length === 1 && !keeping);
	}

	private noteFailure(error: unknown, items: number): void {
		const { spent } = this;
		const isStopped = this.isGivenUp(error);
		if (!isUnpaid(error)) spent.twins += items - 1;
		else if (!isStopped) spent.unpaid += items;
		if (isStopped && !isUnpaid(error)) spent.underWay += 1;
	}

	/** The execution was stopped, or the failure of another item has ended the node: nobody gets an answer. */
	private isGivenUp(error: unknown): boolean {
		return isCancelled(error) && this.run.signal.aborted;
	}

	/** At once, since n8n saves an execution that is cancelled before the node comes back. */
	private noteSent(): void {
		const { context, operation, outcomes } = this.run;
		const { sent } = outcomes;
		const more = sent - this.noted;
		if (more !== 0 && operation.repeat === 'billed') addBilledCalls(context, more);
		this.noted = sent;
	}

	private async ask({ session, request, limits, key, keeping }: ItemCall): Promise<Answer> {
		const { statusCode, body } = await session.client(request, limits);
		if (keeping) this.plan.results.keep(key, keeping, { statusCode, body });
		return { statusCode, body };
	}

	/** @param isOwn whether nothing else holds the answer: a later node that changes one item must not change its twins */
	private async finish(
		outcome: Answer | Promise<Answer>,
		asked: ReadonlyArray<Pick<ItemCall, 'index' | 'form'>>,
		isOwn: boolean,
	): Promise<void> {
		const { operation, items } = this.run;
		try {
			const answer = await outcome;
			const { statusCode = 200, body } = answer;
			const isEmpty = !holdsResult(answer, operation);
			// Of a list without elements, nothing comes out.
			if (isEmpty && resultsOf(operation, body).length > 0) this.withoutResult.push(statusCode);
			for (const { index, form } of asked) {
				if (operation.result === 'items') this.incomplete.push(...incompleteOf(body));
				if (!isEmpty) this.noteResults(body, form);
				const part = isOwn ? body : deepCopy(body as object);
				this.output[index] = itemsOf(part, operation, form, { item: items[index], index });
			}
		} catch (error) {
			if (this.isGivenUp(error)) return;
			for (const { index } of asked) await this.fail(index, error);
		}
	}

	private noteResults(answer: unknown, { fields }: OutputForm): void {
		const { run } = this;
		const all = resultsOf(run.operation, answer);
		const results = all.filter(isObject);
		const isWhole = results.length > 0 && hasNoneOf(fields, results);
		if (isWhole) this.whole += 1;
		run.missing.lookAt(results, fields);
		const kept = isWhole ? undefined : fields;
		const asItems = all.map((one) => (isObject(one) ? keepFields(one, kept) : { data: one }));
		hintOnLongNumbers(run, asItems, SENT_AS_TEXT);
	}

	/** Throws where the node stops on errors. */
	private async fail(index: number, error: unknown): Promise<void> {
		if (this.run.context.continueOnFail()) this.failed.push({ index, error });
		else await errorItem(this.run, error, index);
	}

	private showHints(): void {
		const { run, plan } = this;
		const { name, repeat } = run.operation;
		const { length } = run.items;
		const foundNothing = this.output.filter((items) => items.length === 0).length;
		const hints = [
			run.signal.aborted ? '' : nothingFoundHint(name, foundNothing, length),
			incompleteHint(name, this.incomplete),
			repeat === 'billed' ? spendingHint(plan, this.spent) : '',
			noResultHint(this.withoutResult),
			...unkeptHints(plan.results),
			changingDataHint(plan),
			wholeHint(this.whole),
		];
		for (const message of hints.filter(Boolean)) run.hint(message);
		const empty = emptyFieldsHint(plan);
		if (empty) run.warn(empty);
		run.missing.warn(run);
	}
}

const NOTHING_SENT =
	'Nothing was sent now, because this node stops on errors. To send the other items all the same, set On Error to Continue in its settings.';

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
 * Does tasks, as many at once as allowed now. After a failure, or once the signal is aborted, no more start; the failure of
 * the lowest index is thrown.
 */
export async function runPool(
	count: number,
	limiters: ReadonlyArray<Pick<RateLimiter, 'concurrency' | 'onRoom'>>,
	work: (index: number) => Promise<void>,
	signal?: AbortSignal,
): Promise<void> {
	const failures = new Map<number, unknown>();
	const underWay = new Set<number>();
	// Racing the promises under way instead would leave a handler on each slow one every time.
	let wake = (): void => {};
	for (const limiter of limiters) limiter.onRoom = () => wake();
	const concurrency = (): number => Math.max(...limiters.map((one) => one.concurrency));
	const untilRoom = async () => await new Promise<void>((resolve) => (wake = resolve));
	for (let index = 0; index < count; index++) {
		while (underWay.size >= Math.max(1, concurrency())) await untilRoom();
		if (failures.size > 0 || signal?.aborted) break;
		underWay.add(index);
		void work(index)
			.catch((error: unknown) => failures.set(index, error))
			.finally(() => underWay.delete(index) && wake());
	}
	while (underWay.size > 0) await untilRoom();
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
