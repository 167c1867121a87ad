import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { ServiceFailure } from '../../client/failures';
import { InputProblem } from '../../common/errors';
import { readOptions, trueOrFalse } from '../../common/parameters';
import { countOf, itemsOf } from '../answer';
import { hint } from '../hints';
import type { Operation } from '../operation';
import { withRemark, type Task } from '../task';
import { KeptResults } from './kept-results';
import { copied, isSurelyUnprocessed, outcomesOf, type CallOutcomes } from './outcomes';
import { Plan, type PlannedCall, type PlannedItem } from './plan';
import { previewOf } from './preview';
import { ResultTotals } from '../result-totals';
import { spendingHint, unkeptHints } from './spending';

/** What a run of calls needs of the execution of the node. */
export interface CallRun {
	context: IExecuteFunctions;
	operation: Operation;
	/** An input item with its session; throws the reason why it cannot be sent. */
	taskOf(itemIndex: number): Promise<Task>;
	/** The error that a user sees. */
	explain(error: unknown, itemIndex: number): Promise<NodeApiError | NodeOperationError>;
	/** The error item of a failed input; throws where the node ends with the error. */
	errorItem(error: unknown, itemIndex: number): Promise<INodeExecutionData>;
	/** False once a failure has ended the node: calls that still wait are not sent. */
	isWanted(): boolean;
}

/**
 * Does something for each input item: plans all calls, and then sends them, several at once. Where the node stops on
 * errors, nothing is sent if the plan shows one. What the calls cost is told under the output.
 *
 * @throws the error of the first item that failed, where the node stops on errors
 */
export async function runCalls(run: CallRun): Promise<INodeExecutionData[]> {
	const { context, operation } = run;
	const { length } = context.getInputData();
	const outcomes = outcomesOf(context, operation);
	const isPreview = isPreviewOnly(context);
	const plan = new Plan(outcomes, new KeptResults(context), isPreview);
	await plan.make(length, async (index) => await run.taskOf(index));
	if (isPreview) {
		const pairedItem = Array.from({ length }, (_, item) => ({ item }));
		return [
			{
				json: await previewOf(
					plan,
					length,
					async (error, index) => await run.explain(error, index),
				),
				pairedItem,
			},
		];
	}
	const sending = new PlanSending(run, plan, outcomes);
	const output = await sending.output();
	for (const message of sending.hints()) hint(context, message);
	return output;
}

/** Whether the run only says what would be sent. The first item decides for all. */
function isPreviewOnly(context: IExecuteFunctions): boolean {
	try {
		const { previewOnly } = readOptions((name) => context.getNodeParameter(name, 0, {}));
		return trueOrFalse(previewOnly, 'Preview Only', false);
	} catch {
		// Nothing is sent for an item whose options cannot be read: each says so itself.
		return false;
	}
}

/** Carries out a plan. */
class PlanSending {
	private readonly run: CallRun;
	private readonly plan: Plan;
	private readonly outcomes: CallOutcomes;
	/** Calls that earlier tries have sent. */
	private readonly before: number;
	private readonly items: readonly INodeExecutionData[];
	/** What comes out for each input item. */
	private readonly results: INodeExecutionData[][];
	/** Calls of this execution that were answered: a call, or the outcome of an earlier try. */
	private readonly answers = new Set<object>();
	private readonly totals = new ResultTotals();
	private unprocessed = 0;

	constructor(run: CallRun, plan: Plan, outcomes: CallOutcomes) {
		this.run = run;
		this.plan = plan;
		this.outcomes = outcomes;
		this.before = outcomes.sent;
		this.items = run.context.getInputData();
		this.results = this.items.map(() => []);
	}

	/** What comes out, in the order of the input. */
	async output(): Promise<INodeExecutionData[]> {
		await this.noteUnsent().catch((error: unknown) => {
			throw withRemark(error, this.whyNothingWasSent());
		});
		await this.send()
			.finally(async () => await this.plan.results.finish())
			.catch((error: unknown) => {
				throw withRemark(error, this.whatIsLost());
			});
		return this.results.flat();
	}

	/** For the user, once all is done. */
	hints(): string[] {
		const { operation } = this.run;
		const { plan, outcomes, before, unprocessed } = this;
		const spent = { items: this.items.length, before, sent: outcomes.sent - before, unprocessed };
		const spending = operation.repeat === 'billed' ? spendingHint(plan, spent) : undefined;
		const hints = [this.totals.hint(operation.name), spending, ...unkeptHints(plan.results)];
		return hints.flatMap((hint) => hint ?? []);
	}

	/** The error items of what is not sent; throws where the node stops on errors. */
	private async noteUnsent(): Promise<void> {
		const { refused, skipped, maxCalls } = this.plan;
		for (const { index, error } of refused) await this.fail(index, error);
		if (skipped.length === 0) return;
		const skips = this.run.context.continueOnFail() ? 'skipped' : 'would skip';
		const problem = new InputProblem(
			`Max Calls (${maxCalls}) ${skips} ${skipped.length} ${skipped.length === 1 ? 'item' : 'items'}`,
			'To send more, raise Max Calls in this node or remove it.',
		);
		for (const index of skipped) await this.fail(index, problem);
	}

	private async send(): Promise<void> {
		const { calls, known, kept, shared, results } = this.plan;
		const paces = [...new Set(calls.map(({ session }) => session.pace))];
		for (const item of [...known, ...shared]) await this.finish([item], item.outcome, item.outcome);
		for (const item of kept) await this.finish([item], undefined, item.outcome);
		// What cannot be removed shows when a result cannot be written.
		if (calls.some(({ keeping }) => keeping)) await results.removeExpired().catch(() => undefined);
		await runPool(
			calls.length,
			() => Math.max(...paces.map(({ concurrency }) => concurrency)),
			async (place) => await this.sendCall(calls[place]),
		);
	}

	private async sendCall(call: PlannedCall): Promise<void> {
		const { session, request, limits, keeping } = call;
		const isWanted = (): boolean => this.run.isWanted();
		const outcome = this.outcomes.make(call, async () => {
			session.throwIfCancelled();
			const { body } = await session.client(request, limits, { isWanted });
			if (keeping !== undefined) this.plan.results.keep(keeping, body);
			return body;
		});
		await this.finish(call.items, call, outcome);
	}

	/** Returns an answer, or a failure, for all items that it belongs to. A kept result has no source. */
	private async finish(
		items: readonly PlannedItem[],
		source: object | undefined,
		outcome: Promise<unknown>,
	): Promise<void> {
		const { operation } = this.run;
		try {
			const answer = await outcome;
			if (source !== undefined) this.answers.add(source);
			const isOwn = items.length === 1 && source !== undefined && source !== outcome;
			for (const { index, form } of items) {
				const item = this.items[index];
				if (operation.result === 'items') this.totals.note(answer, countOf(answer));
				const part = isOwn ? answer : copied(answer);
				this.results[index] = itemsOf(part, operation, form, { item, index });
			}
		} catch (error) {
			// Given up because of another item's failure, which is the one to tell.
			if (!this.run.isWanted() && error instanceof ServiceFailure && error.kind === 'cancelled')
				return;
			if (isSurelyUnprocessed(error)) this.unprocessed += items.length;
			for (const { index } of items) await this.fail(index, error);
		}
	}

	private async fail(index: number, error: unknown): Promise<void> {
		this.results[index].push(await this.run.errorItem(error, index));
	}

	private whyNothingWasSent(): string {
		if (this.results.length === 1) return '';
		const nothing = this.before > 0 ? 'This try sent nothing' : 'Nothing was sent';
		return `${nothing}, because this node stops on errors. To send the other items all the same, set On Error to Continue in its settings.`;
	}

	private whatIsLost(): string {
		const { size } = this.answers;
		if (size === 0) return '';
		const answered = `Calls answered before that: ${size.toLocaleString('en-US')}.`;
		if (this.plan.calls.some(({ keeping }) => keeping)) {
			const unkept = this.plan.results.tooLong + this.plan.results.unwritten;
			const except = unkept > 0 ? `, except ${unkept.toLocaleString('en-US')}` : '';
			return `${answered} Their results are kept for the next execution${except}.`;
		}
		return `${answered} Their results are lost, because this node stops on errors. To keep them, set On Error to Continue in its settings.`;
	}
}

/**
 * Works through `count` tasks in order, several at once. When one fails no further one is started; those under way
 * are waited for, since a request that was sent must not be forgotten.
 *
 * @param concurrency asked before each start, so it may change while the pool runs; at least 1
 * @param work does the task of one index, from 0
 * @throws what the failed task with the lowest index threw
 */
export async function runPool(
	count: number,
	concurrency: () => number,
	work: (index: number) => Promise<void>,
): Promise<void> {
	const failures = new Map<number, unknown>();
	let underWay = 0;
	let wake = (): void => {};
	// One new promise for each wait: racing those under way would leave a handler on each slow one every time.
	const oneEnds = async (): Promise<void> =>
		await new Promise((resolve) => {
			wake = resolve;
		});
	for (let index = 0; index < count && failures.size === 0; index++) {
		underWay += 1;
		void work(index)
			.catch((error: unknown) => failures.set(index, error))
			.finally(() => {
				underWay -= 1;
				wake();
			});
		while (underWay >= Math.max(1, concurrency())) await oneEnds();
	}
	while (underWay > 0) await oneEnds();
	if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
