import type { IExecuteFunctions, NodeHint } from 'n8n-workflow';

import { shown } from '../../shared/panel/read-parameters';
import { counted, formatNumber } from '../../shared/errors/words';
import { CHOSEN, idOf, INPUT_ITEMS } from '../operation-row';
import { operations } from '../operations';
import type { NodeRun } from '../node-run';
import type { Plan } from './plan';

const billed = JSON.stringify(operations.filter(({ repeat }) => repeat === 'billed').map(idOf));
const isBilled = `${billed}.includes(${CHOSEN})`;

/** Hints before the run of a billed operation with several input items. */
export const billingHints: NodeHint[] = [
	{
		message:
			'Each input item may be one billed call. Turn on <b>Preview Only</b> for the exact number, or set <b>Limit Calls</b>. Unless <b>On Error</b> is Continue, the first item that fails discards the results of the items before it.',
		displayCondition: `={{ ${isBilled} && $parameter.previewOnly !== true && ${INPUT_ITEMS} > 1 }}`,
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
	},
];

/**
 * Returns why a run that stops on errors would send nothing, and what to set. Returns an empty text if the run would
 * send its calls.
 */
export function whyNothingIsSent({ calls, refused, skipped }: Plan): string {
	const reasons: string[] = [];
	if (refused.length > 0) reasons.push(`${counted(refused.length, 'item')} would be refused`);
	if (skipped.length > 0) reasons.push(skippedByLimit(skipped, 'would skip'));
	if (calls.length === 0 || reasons.length === 0) return '';
	const howToSendAll = skipped.length > 0 ? ` ${MORE_CALLS}` : '';
	return `${reasons.join(' and ')}, and this node stops on errors. To send ${counted(calls.length, 'call')} anyway, set On Error to Continue in its settings.${howToSendAll}`;
}

/** Returns, for example, "'Limit Calls' (10) skipped 2 items". */
export function skippedByLimit(skipped: Plan['skipped'], verb: string): string {
	return `'Limit Calls' (${skipped.at(-1)?.maxCalls}) ${verb} ${counted(skipped.length, 'item')}`;
}

export const MORE_CALLS = "To send more, raise 'Limit Calls' in this node or remove it.";

/** Counts of a run, for the hint on its cost. */
export interface Spent {
	/** Calls of earlier attempts. */
	before: number;
	/** Items that share the call of an identical item. */
	identical: number;
	/** Items whose call was not sent, or was throttled or rejected by the service. */
	unpaid: number;
	/** Items that use the call of another execution. */
	fromOthers: number;
	/** Calls in flight when the execution was stopped. */
	underWay: number;
}

/**
 * Returns the hint on the calls that may be billed. Returns an empty text if the service processed no call, because the
 * errors show this already.
 */
export function spendingHint(plan: Plan, spent: Spent): string {
	const { nodeRun, answered, refused, skipped } = plan;
	const { before, identical, unpaid, fromOthers, underWay } = spent;
	const { sent, uncached, whyUncached } = nodeRun.paidCalls;
	const kept = plan.answeredFrom('keptResult') + fromOthers;
	const withoutCall = answered.length + fromOthers + refused.length + skipped.length;
	const notReached = nodeRun.items.length - (sent - before) - identical - unpaid - withoutCall;
	if (sent + withoutCall + notReached === 0) return '';
	const earlier = before > 0 ? `, ${formatNumber(before)} of them in earlier attempts` : '';
	const unanswered =
		underWay > 0 ? `, ${formatNumber(underWay)} of them without a response so far` : '';
	return [
		`Sent ${counted(sent, 'call')} (may be billed)${earlier}${unanswered}.`,
		...itemsWere(
			plan.answeredFrom('earlierTry'),
			'answered from an earlier attempt, without a new call',
		),
		...(kept > 0 ? [`${counted(kept, 'item')} used a kept result.`] : []),
		...itemsWere(identical, 'answered by the call of an identical item'),
		...itemsWere(unpaid, 'never sent, or refused by the service'),
		...itemsWere(refused.length, 'refused before sending'),
		...(skipped.length > 0 ? [`Limit Calls skipped ${counted(skipped.length, 'item')}.`] : []),
		...itemsWere(notReached, 'not sent, because the execution was stopped'),
		...(uncached > 0
			? [
					`${counted(uncached, 'result')} not kept: ${[...whyUncached].join('; ')}. A later execution may pay for them again.`,
				]
			: []),
	].join(' ');
}

function itemsWere(count: number, outcome: string): string[] {
	return count > 0 ? [`${counted(count, 'item')} ${count === 1 ? 'was' : 'were'} ${outcome}.`] : [];
}

/**
 * Returns the hint for kept results that are compared by all fields of an input item. Returns an empty text if the user
 * chose the fields.
 */
export function keptByItemHint({ asked }: Plan): string {
	if (!asked.some(({ isKeptByItem }) => isKeptByItem)) return '';
	return '<b>Keep Results</b> compares all fields of an item: if a row number, a date or any other field changes, a new call is paid for. Name the fields to compare, such as domain, in <b>Deduplicate By</b>.';
}

/**
 * Returns the hint on fields that have no value in any item, usually because of a wrong expression. Returns an empty
 * text if there are no such fields.
 */
export function emptyFieldsHint(plan: Plan): string {
	const items = plan.calls.flat().length;
	const names = [...plan.withoutField()].filter(([, count]) => count === items);
	if (names.length === 0) return '';
	const fields = names.map(([name]) => shown(name)).join(', ');
	return `No item has a value for the ${names.length === 1 ? 'field' : 'fields'} ${fields}. Check the data to send.`;
}

/** Returns a remark on the calls before the error that ended the node, in all attempts. */
export function whatWasDone({
	operation: { repeat },
	paidCalls: { answered, kept },
}: Pick<NodeRun, 'operation' | 'paidCalls'>): string {
	if (answered === 0) return '';
	if (repeat === 'acts') {
		return `Done before this error: ${counted(answered, 'call')}, which cannot be undone. When you run this again, leave out these items. To process all other items next time, set On Error to Continue in the settings of this node.`;
	}
	const resultsOf = (count: number): string =>
		`the results of ${counted(count, 'call')}${repeat === 'billed' ? ' that may be billed' : ''}`;
	const remarks: string[] = [];
	if (kept > 0) remarks.push(`Kept for the next execution: ${resultsOf(kept)}.`);
	if (kept < answered)
		remarks.push(
			`Lost: ${resultsOf(answered - kept)}, because this node stops on errors. To keep results next time, set On Error to Continue in the settings of this node.`,
		);
	return remarks.join(' ');
}

/** Remark on the error that ends the node before it sends any call. */
export const NOTHING_SENT =
	'Nothing was sent now, because this node stops on errors. To send the other items anyway, set On Error to Continue in its settings.';

/** Puts a remark on the other items in front of an error. */
export function withRemark(error: unknown, remark: string): unknown {
	const nodeError = error as Error & { description?: string };
	const { message, description } = nodeError;
	if (remark === '') return error;
	// n8n shows a description as HTML. Without a description, the message is all that a model receives.
	if (description) nodeError.description = `${remark}<br>${description}`;
	else nodeError.message = `${message.replace(/\.$/, '')}. ${remark}`;
	return error;
}

/** Key of the execution data, which n8n's list of executions and API show. */
const KEY = 'workspaceDataCalls';

/** Adds to the number of possibly billed calls of this execution. Does nothing if n8n keeps no execution data. */
export function addBilledCalls(context: IExecuteFunctions, count: number): void {
	try {
		// Old versions of n8n have no custom data.
		const { customData } = context as Partial<Pick<IExecuteFunctions, 'customData'>>;
		const before = Number(customData?.get(KEY)) || 0;
		customData?.set(KEY, String(before + count));
	} catch {
		// A failure to count must not fail the call.
	}
}
