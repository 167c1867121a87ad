// nodes/WorkspaceData/call/: operations that do something for each input item, such as Enrich.

import { deepCopy, type INodeExecutionData } from 'n8n-workflow';

import type { JsonResponse, ServiceResponse } from '../../shared/client/api';
import { isCancelled } from '../../shared/client/failures';
import { InputProblem } from '../../shared/errors/node-errors';
import { ResponsesToItems } from '../response-to-items';
import type { NodeRun } from '../node-run';
import { errorItem } from '../task';
import {
	addBilledCalls,
	keptByItemHint,
	emptyFieldsHint,
	MORE_CALLS,
	NOTHING_SENT,
	skippedByLimit,
	spendingHint,
	whatWasDone,
	withRemark,
	type Spent,
} from './call-hints';
import type { ItemCall } from './call-parameters';
import { previewOf } from './preview';
import { isUnpaid } from '../paid-calls';
import { planCalls, type Plan } from './plan';
import { runPool } from '../pool';

/** Plans all calls, then sends them, several at once; none if the node stops on errors and the plan shows one. */
export async function runCalls(nodeRun: NodeRun): Promise<INodeExecutionData[]> {
	const plan = await planCalls(nodeRun);
	try {
		if (!plan.isPreview) return await new CallRun(nodeRun, plan).complete();
		// Nobody looks at what a scheduled run returns.
		if (nodeRun.context.getMode() !== 'manual')
			nodeRun.warn("Nothing was sent: turn off 'Preview Only' in this node to send the calls.");
		const pairedItem = nodeRun.items.map((_, item) => ({ item }));
		return [{ json: await previewOf(plan), pairedItem }];
	} finally {
		nodeRun.paidCalls.unshare();
	}
}

class CallRun {
	private readonly nodeRun: NodeRun;
	private readonly plan: Plan;
	/** By input item. */
	private readonly output: INodeExecutionData[][];
	/** Told of at the end: what an error means depends on whether other calls were answered. */
	private readonly failed: Array<{ index: number; error: unknown }> = [];
	private readonly responses: ResponsesToItems;
	private readonly spent: Spent;
	/** How many of all calls are noted on the execution. */
	private noted: number;

	constructor(nodeRun: NodeRun, plan: Plan) {
		this.nodeRun = nodeRun;
		this.plan = plan;
		this.responses = new ResponsesToItems(nodeRun);
		this.output = nodeRun.items.map(() => []);
		this.noted = nodeRun.paidCalls.sent;
		this.spent = { before: this.noted, identical: 0, unpaid: 0, fromOthers: 0, underWay: 0 };
	}

	/** Sends what is to be sent, and gives what comes out, by input item. Throws the error that ends the node. */
	async complete(): Promise<INodeExecutionData[]> {
		const { nodeRun, plan } = this;
		const { answered, asked, calls } = plan;
		await this.failUnsent();
		const results = calls.some(([{ keeping }]) => keeping) ? plan.results : undefined;
		const limiters = [...new Set(calls.map(([{ session }]) => session.rateLimiter))];
		for (const limiter of limiters) limiter.allow(asked[0].maxConcurrent);
		try {
			for (const item of answered) await this.finish(item.outcome, [item], false);
			// What cannot be removed shows when a result cannot be written.
			await results?.removeExpired().catch(() => undefined);
			const work = (index: number): Promise<void> => this.send(calls[index]);
			try {
				await runPool(calls.length, limiters, work, nodeRun.signal);
			} finally {
				// Responses that came before an error are paid for, so they are kept before the node ends.
				await results?.finish();
			}
		} catch (error) {
			throw withRemark(error, whatWasDone(nodeRun, results));
		}
		for (const { index, error } of this.failed)
			this.output[index].push(await errorItem(nodeRun, error, index));
		this.showHints();
		return this.output.flat();
	}

	/** Where the node stops on errors, nothing is sent at all. */
	private async failUnsent(): Promise<void> {
		const { refused, skipped } = this.plan;
		const skips = this.nodeRun.context.continueOnFail() ? 'skipped' : 'would skip';
		const message = skippedByLimit(skipped, skips);
		try {
			for (const { index, error } of refused) await this.fail(index, error);
			for (const { index } of skipped)
				await this.fail(index, new InputProblem(message, MORE_CALLS));
		} catch (error) {
			throw withRemark(error, this.plan.calls.length > 0 ? NOTHING_SENT : '');
		}
	}

	/** Sends a call for one item or for several equal ones, unless another execution has a response for them. */
	private async send(call: ItemCall[]): Promise<void> {
		const { nodeRun, plan, spent } = this;
		const { paidCalls, signal } = nodeRun;
		const [{ key, keeping, session, request, limits }] = call;
		const results = keeping && plan.results;
		let other = paidCalls.findOfOthers(key);
		while (results && other !== undefined) {
			const response = await unlessAborted(other, signal);
			if (response && results.isOfUse(response, keeping)) {
				spent.fromOthers += call.length;
				return await this.finish(response, call, false);
			}
			if (signal.aborted) return;
			other = paidCalls.findOfOthers(key, other);
		}
		// Await nothing between the last look-up and this: of all executions that have waited, only one sends.
		const outcome = session.client(request, limits).then(answerOf);
		paidCalls.add(call, outcome);
		this.noteSent();
		try {
			const response = await outcome;
			paidCalls.answered += 1;
			spent.identical += call.length - 1;
			if (results) results.keep(key, keeping, response);
		} catch (error) {
			this.noteFailure(error, call);
		}
		this.noteSent();
		await this.finish(outcome, call, call.length === 1 && !keeping);
	}

	private noteFailure(error: unknown, call: ItemCall[]): void {
		const { nodeRun, spent } = this;
		const isStopped = this.isGivenUp(error);
		if (!isUnpaid(error)) {
			spent.identical += call.length - 1;
			if (isStopped) spent.underWay += 1;
			return;
		}
		nodeRun.paidCalls.remove(call);
		if (!isStopped) spent.unpaid += call.length;
	}

	/** The execution was stopped, or the failure of another item has ended the node: nobody gets an answer. */
	private isGivenUp(error: unknown): boolean {
		return isCancelled(error) && this.nodeRun.signal.aborted;
	}

	/** At once, since n8n saves an execution that is cancelled before the node comes back. */
	private noteSent(): void {
		const { context, operation, paidCalls } = this.nodeRun;
		const { sent } = paidCalls;
		const more = sent - this.noted;
		if (more !== 0 && operation.repeat === 'billed') addBilledCalls(context, more);
		this.noted = sent;
	}

	/**
	 * Returns the response of a call to its items.
	 * @param isOwn whether no other item and no cache has the response; a later node that changes an item must not change them
	 */
	private async finish(
		outcome: ServiceResponse | Promise<ServiceResponse>,
		asked: ReadonlyArray<Pick<ItemCall, 'index' | 'form'>>,
		isOwn: boolean,
	): Promise<void> {
		try {
			const response = await outcome;
			for (const { index, form } of asked) {
				const copy = isOwn ? response : deepCopy(response);
				this.output[index] = this.responses.itemsOf(copy, form, index);
			}
		} catch (error) {
			if (this.isGivenUp(error)) return;
			for (const { index } of asked) await this.fail(index, error);
		}
	}

	/** Throws where the node stops on errors. */
	private async fail(index: number, error: unknown): Promise<void> {
		if (this.nodeRun.context.continueOnFail()) this.failed.push({ index, error });
		else await errorItem(this.nodeRun, error, index);
	}

	private showHints(): void {
		const { nodeRun, plan } = this;
		const hints = [
			nodeRun.operation.repeat === 'billed' ? spendingHint(plan, this.spent) : '',
			...this.responses.hints(),
			keptByItemHint(plan),
		];
		for (const message of hints.filter(Boolean)) nodeRun.hint(message);
		const empty = emptyFieldsHint(plan);
		if (empty) nodeRun.warn(empty);
	}
}

/** Returns the value of a promise; undefined if the promise fails, or if the signal is aborted first. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	return await new Promise((resolve) => {
		const giveUp = (): void => resolve(undefined);
		signal.addEventListener('abort', giveUp, { once: true });
		promise.then(resolve, giveUp);
	});
}

const answerOf = ({ statusCode, body }: JsonResponse): ServiceResponse => ({ statusCode, body });
