import type { IExecuteFunctions, NodeHint } from 'n8n-workflow';

import { shown } from '../../shared/panel/read-parameters';
import { counted, formatNumber } from '../../shared/errors/words';
import { CHOSEN, idOf, INPUT_ITEMS } from '../operation-row';
import { operations } from '../operations';
import type { NodeRun } from '../node-run';
import type { Plan } from './plan';

const billed = JSON.stringify(operations.filter(({ repeat }) => repeat === 'billed').map(idOf));
const isBilled = `${billed}.includes(${CHOSEN})`;

/** Hints that the editor shows before a billed operation runs with several input items. */
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

/** Returns why a node that stops on errors would send no calls. Returns an empty text if nothing prevents them. */
export function whyNothingIsSent({ calls, refused, skipped }: Plan): string {
	const reasons: string[] = [];
	if (refused.length > 0) reasons.push(`${counted(refused.length, 'item')} would be refused`);
	if (skipped.length > 0) reasons.push(skippedByLimit(skipped, 'would skip'));
	if (calls.length === 0 || reasons.length === 0) return '';
	const howToSendAll = skipped.length > 0 ? ` ${MORE_CALLS}` : '';
	return `${reasons.join(' and ')}, and this node stops on errors. To send ${counted(calls.length, 'call')} anyway, set On Error to Continue in its settings.${howToSendAll}`;
}

/** Returns a text such as "'Limit Calls' (10) skipped 2 items". */
export function skippedByLimit(skipped: Plan['skipped'], verb: string): string {
	return `'Limit Calls' (${skipped.at(-1)?.maxCalls}) ${verb} ${counted(skipped.length, 'item')}`;
}

export const MORE_CALLS = "To send more, raise 'Limit Calls' in this node or remove it.";

/** Counts of calls and items, for the hint on the cost of a run. */
export interface Spent {
	/** Number of calls that earlier attempts of the run have sent. */
	before: number;
	/** Number of items that share the call of an identical item. */
	identical: number;
	/** Number of items whose call was never sent, or was throttled or rejected by the service. */
	unpaid: number;
	/** Number of items that use the response to a call of another execution. */
	fromOthers: number;
	/** Number of calls in flight when the execution was stopped. */
	underWay: number;
}

/** Returns the hint on calls that may be billed. It is empty if none was processed, because the errors show that. */
export function spendingHint(plan: Plan, spent: Spent): string {
	const { nodeRun, withResponse, refused, skipped } = plan;
	const { before, identical, unpaid, fromOthers, underWay } = spent;
	const { sent, uncached, whyUncached } = nodeRun.paidCalls;
	const kept = plan.countFrom('keptResult') + fromOthers;
	const withoutCall = withResponse.length + fromOthers + refused.length + skipped.length;
	const notReached = nodeRun.items.length - (sent - before) - identical - unpaid - withoutCall;
	if (sent + withoutCall + notReached === 0) return '';
	const earlier = before > 0 ? `, ${formatNumber(before)} of them in earlier attempts` : '';
	const unanswered =
		underWay > 0 ? `, ${formatNumber(underWay)} of them without a response so far` : '';
	return [
		sent === 0
			? 'Sent no call that may be billed.'
			: `Sent ${counted(sent, 'call')} (may be billed)${earlier}${unanswered}.`,
		...itemsWere(
			plan.countFrom('earlierAttempt'),
			'answered from an earlier attempt, without a new call',
		),
		...(kept > 0 ? [`${counted(kept, 'item')} used a kept result.`] : []),
		...itemsWere(identical, 'answered by the call of an identical item'),
		...itemsWere(unpaid, 'not sent, or rejected by the service'),
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

/** Returns a hint if Keep Results compares all fields of an item, so that any change causes a new call. */
export function keptByItemHint({ itemCalls }: Plan): string {
	if (!itemCalls.some(({ isKeptByItem }) => isKeptByItem)) return '';
	return '<b>Keep Results</b> compares all fields of an item: if a row number, a date or any other field changes, a new call is paid for. Name the fields to compare, such as domain, in <b>Deduplicate By</b>.';
}

/** Returns a hint on fields that are empty in every item, usually because of a wrong expression. */
export function emptyFieldsHint(plan: Plan): string {
	const items = plan.calls.flat().length;
	const names = [...plan.countEmptyFields()].filter(([, count]) => count === items);
	if (names.length === 0) return '';
	const fields = names.map(([name]) => shown(name)).join(', ');
	return `No item has a value for the ${names.length === 1 ? 'field' : 'fields'} ${fields}. Check the data to send.`;
}

/** Returns a remark on the calls that succeeded before an error ended the node, counted over all attempts. */
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

/** Remark for an error that ends the node before it sends any call. */
export const NOTHING_SENT =
	'Nothing was sent now, because this node stops on errors. To send the other items anyway, set On Error to Continue in its settings.';

/** Adds a remark on the other items to the text of an error, and returns the error. */
export function withRemark(error: unknown, remark: string): unknown {
	const nodeError = error as Error & { description?: string };
	const { message, description } = nodeError;
	if (remark === '') return error;
	// n8n shows the description as HTML. An error for an AI model has only a message.
	if (description) nodeError.description = `${remark}<br>${description}`;
	else nodeError.message = `${message.replace(/\.$/, '')}. ${remark}`;
	return error;
}

/** Key of the call count in the custom data of an execution, which n8n shows in its list of executions and its API. */
const KEY = 'workspaceDataCalls';

/** Adds to the number of possibly billed calls in this execution's custom data, if n8n stores such data. */
export function addBilledCalls(context: IExecuteFunctions, count: number): void {
	try {
		// Old versions of n8n have no custom data.
		const { customData } = context as Partial<Pick<IExecuteFunctions, 'customData'>>;
		const before = Number(customData?.get(KEY)) || 0;
		customData?.set(KEY, String(before + count));
	} catch {
		// Ignore an error here, because a failure to count must not fail the call.
	}
}
