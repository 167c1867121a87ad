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

/** What a run has spent, in words. */
export function spendingHint(plan: Plan, { items, before, sent, unprocessed }: Spent): string {
	const { known, refused, skipped } = plan;
	const calls = sent + before;
	const earlier = before > 0 ? `, ${before.toLocaleString('en-US')} of them in earlier tries` : '';
	const shared = items - sent - known.length - refused.length - skipped.length - unprocessed;
	return [
		`Sent ${counted(calls, 'call')} (may be billed)${earlier}.`,
		...told(known.length, 'answered from an earlier try, without a new call'),
		...told(shared, 'answered with the call of an identical item'),
		...told(unprocessed, 'never sent, or refused by the service before any work'),
		...told(refused.length, 'refused before sending'),
		...(skipped.length > 0 ? [`Max Calls skipped ${counted(skipped.length, 'item')}.`] : []),
	].join(' ');
}

function told(count: number, what: string): string[] {
	return count > 0 ? [`${counted(count, 'item')} ${count === 1 ? 'was' : 'were'} ${what}.`] : [];
}

/** For example "1 item" and "2,000 items". */
function counted(count: number, noun: string): string {
	return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
