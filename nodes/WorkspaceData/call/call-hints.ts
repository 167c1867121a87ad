import type { IExecuteFunctions, NodeHint } from 'n8n-workflow';

import { shown } from '../../shared/panel/read-parameters';
import { counted, formatNumber } from '../../shared/errors/words';
import { CHOSEN, idOf, INPUT_ITEMS } from '../operation-row';
import { operations } from '../operations';
import type { ResultCache } from './result-cache';
import type { NodeRun } from '../node-run';
import type { Plan } from './plan';

const billed = JSON.stringify(operations.filter(({ repeat }) => repeat === 'billed').map(idOf));
const isBilled = `${billed}.includes(${CHOSEN})`;

/** Shown before a node runs that may be billed for each of several items. */
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

/** Why a run that stops on errors would send none of its calls, and what to set; empty where it would send them. */
export function whyNothingIsSent({ calls, refused, skipped }: Plan): string {
	const reasons: string[] = [];
	if (refused.length > 0) reasons.push(`${counted(refused.length, 'item')} would be refused`);
	if (skipped.length > 0) reasons.push(skippedByLimit(skipped, 'would skip'));
	if (calls.length === 0 || reasons.length === 0) return '';
	const all = skipped.length > 0 ? ` ${MORE_CALLS}` : '';
	return `${reasons.join(' and ')}, and this node stops on errors. To send ${counted(calls.length, 'call')} anyway, set On Error to Continue in its settings.${all}`;
}

/** For example "'Limit Calls' (10) skipped 2 items". */
export function skippedByLimit(skipped: Plan['skipped'], skips: string): string {
	return `'Limit Calls' (${skipped.at(-1)?.maxCalls}) ${skips} ${counted(skipped.length, 'item')}`;
}

export const MORE_CALLS = "To send more, raise 'Limit Calls' in this node or remove it.";

/** What became of the calls of a run, and of the items that none was made for. */
export interface Spent {
	/** Calls of earlier tries. */
	before: number;
	/** Items answered with the call of an identical one. */
	identical: number;
	/** Items whose call was never sent, or refused. */
	unpaid: number;
	/** Items answered with a call of another run. */
	fromOthers: number;
	/** Calls without an answer when the execution was stopped. */
	underWay: number;
}

/** What a run has sent that may be billed; empty where all was refused, which the errors say. */
export function spendingHint(plan: Plan, spent: Spent): string {
	const { nodeRun, answered, refused, skipped } = plan;
	const { before, identical, unpaid, fromOthers, underWay } = spent;
	const { sent } = nodeRun.paidCalls;
	const { uncached = 0, whyUncached = [] } = plan.results ?? {};
	const kept = plan.answeredFrom('keptResult') + fromOthers;
	const others = answered.length + fromOthers + refused.length + skipped.length;
	const left = nodeRun.items.length - (sent - before) - identical - unpaid - others;
	if (sent + others + left === 0) return '';
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
		...itemsWere(left, 'not sent, because the execution was stopped'),
		...(uncached > 0
			? [
					`${counted(uncached, 'result')} not kept: ${[...whyUncached].join('; ')}. A later execution may pay for them again.`,
				]
			: []),
	].join(' ');
}

function itemsWere(count: number, what: string): string[] {
	return count > 0 ? [`${counted(count, 'item')} ${count === 1 ? 'was' : 'were'} ${what}.`] : [];
}

/** Returns the hint for results kept by every field of an input item; empty if the user chose the fields. */
export function keptByItemHint({ asked }: Plan): string {
	if (!asked.some(({ isKeptByItem }) => isKeptByItem)) return '';
	return '<b>Keep Results</b> compares all fields of an item: if a row number, a date or any other field changes, a new call is paid for. Name the fields to compare, such as domain, in <b>Deduplicate By</b>.';
}

/** Which fields every item leaves empty, most often by a mistake in an expression; empty where there are none. */
export function emptyFieldsHint(plan: Plan): string {
	const items = plan.calls.flat().length;
	const names = [...plan.withoutField()].filter(([, count]) => count === items);
	if (names.length === 0) return '';
	const fields = names.map(([name]) => shown(name)).join(', ');
	return `No item has a value for the ${names.length === 1 ? 'field' : 'fields'} ${fields}. Check the data to send.`;
}

/** Says what became of the calls before the error that ended the node. `results` is undefined if none are kept. */
export function whatWasDone(
	{ operation: { repeat }, paidCalls: { answered } }: Pick<NodeRun, 'operation' | 'paidCalls'>,
	results?: Pick<ResultCache, 'uncached'>,
): string {
	if (answered === 0) return '';
	if (repeat === 'acts') {
		return `Done before this error: ${counted(answered, 'call')}, which cannot be undone. When you run this again, leave out these items. To process all other items next time, set On Error to Continue in the settings of this node.`;
	}
	const paid = `the results of ${counted(answered, 'call')}${repeat === 'billed' ? ' that may be billed' : ''}`;
	if (results === undefined) {
		return `Lost: ${paid}, because this node stops on errors. To keep results next time, set On Error to Continue in the settings of this node.`;
	}
	const except = results.uncached > 0 ? `, except ${formatNumber(results.uncached)}` : '';
	return `Kept for the next execution: ${paid}${except}.`;
}

/** Where the plan shows that the node would end with an error. */
export const NOTHING_SENT =
	'Nothing was sent now, because this node stops on errors. To send the other items anyway, set On Error to Continue in its settings.';

/** Puts what became of the other items first in the error that ends the node: it says what was paid. */
export function withRemark(error: unknown, remark: string): unknown {
	const nodeError = error as Error & { description?: string };
	const { message, description } = nodeError;
	if (remark === '') return error;
	// n8n shows a description as HTML. A model gets the message alone.
	if (description) nodeError.description = `${remark}<br>${description}`;
	else nodeError.message = `${message.replace(/\.$/, '')}. ${remark}`;
	return error;
}

/** Shown with an execution, in n8n's list of them and by its API. */
const KEY = 'workspaceDataCalls';

/** Adds to the number of calls of this execution that may be billed. Does nothing where n8n keeps no such data. */
export function addBilledCalls(context: IExecuteFunctions, count: number): void {
	try {
		// Older versions of n8n lack it.
		const { customData } = context as Partial<Pick<IExecuteFunctions, 'customData'>>;
		const before = Number(customData?.get(KEY)) || 0;
		customData?.set(KEY, String(before + count));
	} catch {
		// No call fails because n8n cannot write down that it was made.
	}
}
