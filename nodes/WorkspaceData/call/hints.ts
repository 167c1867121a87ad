import type { NodeHint } from 'n8n-workflow';

import type { Incomplete } from '../output';
import { counted, formatNumber } from '../hints';
import { CHOSEN, idOf, INPUT_ITEMS, type Operation } from '../operation-row';
import { operations } from '../operations';
import { LONGEST_ANSWER, TABLE_NAME, type KeptResults } from './kept-results';
import type { CallOutcomes } from './outcomes';
import type { Plan } from './plan';

const billed = operations.filter(({ repeat }) => repeat === 'billed').map(idOf);

/** n8n resolves no expression in a hint's text, so there is one hint for each of these, and none below the first. */
const STEPS = [2, 10, 100, 1_000, 10_000];

/** What stands in the output pane before a node runs that may be billed for each of several items. */
export const billingHints: NodeHint[] = STEPS.map((least, index) => {
	const next = STEPS.at(index + 1);
	const isBilled = `${JSON.stringify(billed)}.includes(${CHOSEN})`;
	const isStep = ['$parameter.options?.previewOnly !== true', `${INPUT_ITEMS} >= ${least}`];
	if (next !== undefined) isStep.push(`${INPUT_ITEMS} < ${next}`);
	const most = next === undefined ? ' or more' : `–${formatNumber(next - 1)}`;
	return {
		message: `${formatNumber(least)}${most} input items: each may be billed. Turn on <b>Preview Only</b> for the exact count, or set <b>Max Calls</b> as a limit.`,
		displayCondition: `={{ ${isBilled} && ${isStep.join(' && ')} }}`,
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
	};
});

/**
 * What became of a plan for so many items. The service processed, or may have processed, so many calls `before`, in
 * earlier tries, and so many that were `sent` in this one; the calls of `unprocessed` items it surely did not.
 */
export function spendingHint(
	{ known, kept, refused, skipped }: Plan,
	items: number,
	{ before, sent, unprocessed }: { before: number; sent: number; unprocessed: number },
): string {
	const earlier = before > 0 ? `, ${formatNumber(before)} of them in earlier tries` : '';
	const others = [known, kept, refused, skipped].reduce((sum, { length }) => sum + length, 0);
	const shared = items - sent - others - unprocessed;
	return [
		`Sent ${counted(sent + before, 'call')} (may be billed)${earlier}.`,
		...told(known.length, 'answered from an earlier try, without a new call'),
		...(kept.length > 0 ? [`${counted(kept.length, 'item')} used a kept result.`] : []),
		...told(shared, 'answered with the call of an identical item'),
		...told(unprocessed, 'never sent, or refused by the service before any work'),
		...told(refused.length, 'refused before sending'),
		...(skipped.length > 0 ? [`Max Calls skipped ${counted(skipped.length, 'item')}.`] : []),
	].join(' ');
}

/** What a person should know of results that were paid for and are not kept. */
export function unkeptHints(results: KeptResults): string[] {
	const { unfinished, tooLong, unwritten, whyUnwritten } = results;
	const again = 'A later execution pays for them again.';
	const open = `${counted(unfinished, 'result')} not kept: not final (an error in the response, or a status other than 200 and 201). ${again}`;
	const long = `${counted(tooLong, 'result')} not kept: longer than ${formatNumber(LONGEST_ANSWER)} characters. ${again}`;
	const lost = `${counted(unwritten, 'result')} not kept: n8n could not write to its data table "${TABLE_NAME}" (${whyUnwritten}). ${again}`;
	return [
		...(unfinished > 0 ? [open] : []),
		...(tooLong > 0 ? [long] : []),
		...(unwritten > 0 ? [lost] : []),
	];
}

/**
 * What a person must know of the calls before the one that ended the node; empty where there were none.
 *
 * @param results where their results are kept; false where they are not
 */
export function whatWasDone(
	{ repeat }: Pick<Operation, 'repeat'>,
	{ answered }: Pick<CallOutcomes, 'answered'>,
	results: Pick<KeptResults, 'unfinished' | 'tooLong' | 'unwritten'> | false,
): string {
	if (answered === 0) return '';
	if (repeat === 'acts') {
		return `Done before that: ${counted(answered, 'call')}, which cannot be undone. Leave their items out when you run this again. To do all the others next time, set On Error to Continue in its settings.`;
	}
	const before = `Calls answered before that: ${formatNumber(answered)}.`;
	if (results === false) {
		return `${before} Their results are lost, because this node stops on errors. To keep them, set On Error to Continue in its settings.`;
	}
	const unkept = results.unfinished + results.tooLong + results.unwritten;
	const except = unkept > 0 ? `, except ${formatNumber(unkept)}` : '';
	return `${before} Their results are kept for the next execution${except}.`;
}

/** For items that nothing comes out for, although nothing went wrong. */
export function nothingFoundHint(name: string, nothing: number, items: number): string[] {
	if (nothing === 0) return [];
	return [`${name} found nothing for ${formatNumber(nothing)} of ${counted(items, 'item')}.`];
}

/** How to get the results that a run's answers do not hold; none where they hold all. */
export function incompleteHint(name: string, answers: readonly Incomplete[]): string[] {
	if (answers.length === 0) return [];
	const cameOut = formatNumber(answers.reduce((sum, answer) => sum + answer.cameOut, 0));
	const total = answers.reduce((sum, answer) => sum + (answer.total ?? NaN), 0);
	const found = Number.isNaN(total)
		? `more results than the ${cameOut} that it returned`
		: `${formatNumber(total)} results and returned ${cameOut}`;
	return [
		`${name} found ${found}. To get more, send the field that sets the number of results or the next page: your service's documentation names it. To see the full API response, set the option Output to Whole Response.`,
	];
}

function told(count: number, what: string): string[] {
	return count > 0 ? [`${counted(count, 'item')} ${count === 1 ? 'was' : 'were'} ${what}.`] : [];
}
