import { LONGEST_ANSWER, TABLE_NAME, type KeptResults } from './kept-results';
import type { Plan } from './plan';

/** What became of a plan for so many items. */
export interface Spent {
	items: number;
	/** Calls that the service processed, or may have processed, in earlier tries and in this one. */
	before: number;
	sent: number;
	/** Items whose call was surely not processed. */
	unprocessed: number;
}

export function spendingHint(plan: Plan, { items, before, sent, unprocessed }: Spent): string {
	const { known, kept, refused, skipped } = plan;
	const calls = sent + before;
	const earlier = before > 0 ? `, ${before.toLocaleString('en-US')} of them in earlier tries` : '';
	const others = [known, kept, refused, skipped].reduce((sum, { length }) => sum + length, 0);
	const shared = items - sent - others - unprocessed;
	return [
		`Sent ${counted(calls, 'call')} (may be billed)${earlier}.`,
		...told(known.length, 'answered from an earlier try, without a new call'),
		...(kept.length > 0 ? [`${counted(kept.length, 'item')} used a kept result.`] : []),
		...told(shared, 'answered with the call of an identical item'),
		...told(unprocessed, 'never sent, or refused by the service before any work'),
		...told(refused.length, 'refused before sending'),
		...(skipped.length > 0 ? [`Max Calls skipped ${counted(skipped.length, 'item')}.`] : []),
	].join(' ');
}

/** What a person should know of results that were paid for and are not kept. */
export function unkeptHints({ tooLong, unwritten, whyUnwritten }: KeptResults): string[] {
	const again = 'A later execution pays for them again.';
	const long = `${counted(tooLong, 'result')} not kept: longer than ${LONGEST_ANSWER.toLocaleString('en-US')} characters. ${again}`;
	const lost = `${counted(unwritten, 'result')} not kept: n8n could not write to its data table "${TABLE_NAME}" (${whyUnwritten}). ${again}`;
	return [...(tooLong > 0 ? [long] : []), ...(unwritten > 0 ? [lost] : [])];
}

function told(count: number, what: string): string[] {
	return count > 0 ? [`${counted(count, 'item')} ${count === 1 ? 'was' : 'were'} ${what}.`] : [];
}

/** For example "1 item" and "2,000 items". */
function counted(count: number, noun: string): string {
	return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
