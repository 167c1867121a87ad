// nodes/WorkspaceData/call/: operations that send a call for each input item, such as Enrich.

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

/** Plans all calls, then sends them in parallel. Sends none if the plan has an error and the node stops on errors. */
export async function runCalls(nodeRun: NodeRun): Promise<INodeExecutionData[]> {
	const plan = await planCalls(nodeRun);
	try {
		if (!plan.isPreview) return await new CallRun(nodeRun, plan).complete();
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
	private readonly output: INodeExecutionData[][];
	/** Errors to report at the end of the run. Their wording depends on whether other calls succeeded. */
	private readonly failed: Array<{ index: number; error: unknown }> = [];
	private readonly responses: ResponsesToItems;
	private readonly spent: Spent;
	/** Number of sent calls that are already counted in the custom data of the execution. */
	private counted: number;

	constructor(nodeRun: NodeRun, plan: Plan) {
		this.nodeRun = nodeRun;
		this.plan = plan;
		this.responses = new ResponsesToItems(nodeRun);
		this.output = nodeRun.items.map(() => []);
		this.counted = nodeRun.paidCalls.sent;
		this.spent = { before: this.counted, identical: 0, unpaid: 0, fromOthers: 0, underWay: 0 };
	}

	/** Sends the planned calls, and returns the output items in the order of the input items. */
	async complete(): Promise<INodeExecutionData[]> {
		const { nodeRun, plan } = this;
		const { withResponse, itemCalls, calls } = plan;
		await this.failUnsent();
		const results = calls.some(([{ keeping }]) => keeping) ? plan.results : undefined;
		const limiters = [...new Set(calls.map(([{ session }]) => session.rateLimiter))];
		for (const limiter of limiters) limiter.allow(itemCalls[0].maxConcurrent);
		try {
			for (const item of withResponse) await this.finish(item.outcome, [item], false);
			// Ignore a failed removal. If the data table does not work, the failed write of a result is reported.
			await results?.removeExpired().catch(() => undefined);
			const sendCall = (index: number): Promise<void> => this.send(calls[index]);
			try {
				await runPool(calls.length, limiters, sendCall, nodeRun.signal);
			} finally {
				// Store all results before an error ends the node, because the responses before the error are paid for.
				await results?.finish();
			}
		} catch (error) {
			throw withRemark(error, whatWasDone(nodeRun));
		}
		for (const { index, error } of this.failed)
			this.output[index].push(await errorItem(nodeRun, error, index));
		this.showHints();
		return this.output.flat();
	}

	/** Records the errors of invalid and skipped items, or throws the first one if the node stops on errors. */
	private async failUnsent(): Promise<void> {
		const { refused, skipped } = this.plan;
		const verb = this.nodeRun.context.continueOnFail() ? 'skipped' : 'would skip';
		const message = skippedByLimit(skipped, verb);
		try {
			for (const { index, error } of refused) await this.fail(index, error);
			for (const { index } of skipped)
				await this.fail(index, new InputProblem(message, MORE_CALLS));
		} catch (error) {
			throw withRemark(error, this.plan.calls.length > 0 ? NOTHING_SENT : '');
		}
	}

	/** Sends a call for one item or for several identical items, unless another execution has a usable response. */
	private async send(call: ItemCall[]): Promise<void> {
		const { nodeRun, plan, spent } = this;
		const { paidCalls, signal } = nodeRun;
		const [{ key, keeping, session, request, limits }] = call;
		const results = keeping && plan.results;
		let otherCall = paidCalls.findInOtherExecutions(key);
		while (results && otherCall !== undefined) {
			const response = await unlessAborted(otherCall, signal);
			if (response && results.isOfUse(response, keeping)) {
				spent.fromOthers += call.length;
				return await this.finish(response, call, false);
			}
			if (signal.aborted) return;
			otherCall = paidCalls.findInOtherExecutions(key, otherCall);
		}
		// Do not await between findInOtherExecutions() and add(), so that only one of the waiting executions sends the
		// call.
		const outcome = session.client(request, limits).then(responseOf);
		paidCalls.add(call, outcome);
		this.countSent();
		try {
			const response = await outcome;
			paidCalls.answered += 1;
			spent.identical += call.length - 1;
			if (results) results.keep(key, keeping, response);
		} catch (error) {
			this.recordFailure(error, call);
		}
		this.countSent();
		await this.finish(outcome, call, call.length === 1 && !keeping);
	}

	private recordFailure(error: unknown, call: ItemCall[]): void {
		const { nodeRun, spent } = this;
		const isStopped = this.isAbandoned(error);
		if (!isUnpaid(error)) {
			spent.identical += call.length - 1;
			if (isStopped) spent.underWay += 1;
			return;
		}
		nodeRun.paidCalls.remove(call);
		if (!isStopped) spent.unpaid += call.length;
	}

	/** Checks whether a call was cancelled because the execution was stopped or the node has ended. */
	private isAbandoned(error: unknown): boolean {
		return isCancelled(error) && this.nodeRun.signal.aborted;
	}

	/** Counts sent calls in the custom data after each change: n8n saves a cancelled run before the node returns. */
	private countSent(): void {
		const { context, operation, paidCalls } = this.nodeRun;
		const { sent } = paidCalls;
		const added = sent - this.counted;
		if (added !== 0 && operation.repeat === 'billed') addBilledCalls(context, added);
		this.counted = sent;
	}

	/**
	 * Adds the response of a call to the output of the items that share the call. Unless `isOwn`, each item gets a
	 * copy, because a later node may change its item.
	 */
	private async finish(
		outcome: ServiceResponse | Promise<ServiceResponse>,
		items: ReadonlyArray<Pick<ItemCall, 'index' | 'form'>>,
		isOwn: boolean,
	): Promise<void> {
		try {
			const response = await outcome;
			for (const { index, form } of items) {
				const copy = isOwn ? response : deepCopy(response);
				this.output[index] = this.responses.itemsOf(copy, form, index);
			}
		} catch (error) {
			if (this.isAbandoned(error)) return;
			for (const { index } of items) await this.fail(index, error);
		}
	}

	/** Records the error of an item, or throws the error if the node stops on errors. */
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
		const emptyFields = emptyFieldsHint(plan);
		if (emptyFields) nodeRun.warn(emptyFields);
	}
}

/** Returns the value of a promise; undefined if the promise fails, or if the signal is aborted first. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	return await new Promise((resolve) => {
		const resolveEmpty = (): void => resolve(undefined);
		signal.addEventListener('abort', resolveEmpty, { once: true });
		promise.then(resolve, resolveEmpty);
	});
}

const responseOf = ({ statusCode, body }: JsonResponse): ServiceResponse => ({ statusCode, body });
