/** How the items of one try of a run came to their outcomes. */
export interface Spending {
	/** Calls that the service took, or may have taken. */
	sent: number;
	/** Items that an earlier try of n8n's Retry On Fail had called for. */
	reused: number;
	/** Items that shared the call of an identical one. */
	shared: number;
	/** Items whose call the service surely did not take. */
	notTaken: number;
}

/** All that is told of a run. */
interface Run extends Spending {
	/** Calls that earlier tries had sent. */
	before: number;
	/** Items past Max Calls. */
	left: number;
	/** All items of the input. */
	items: number;
}

/** What a run has spent, in words. */
export function spendingHint(run: Run): string {
	const { sent, reused, shared, notTaken, before, left, items } = run;
	const earlier = before > 0 ? `, ${before.toLocaleString('en-US')} of them in earlier tries` : '';
	return [
		`${counted(sent + before, 'call')} sent, which may be billed${earlier}.`,
		...told(reused, 'answered from an earlier try, without a new call'),
		...told(shared, 'answered with the call of an identical item'),
		...told(notTaken, 'not taken by the service'),
		...told(items - sent - reused - shared - notTaken - left, 'refused before sending'),
		...told(left, 'left unsent because of Max Calls'),
	].join(' ');
}

function told(count: number, what: string): string[] {
	return count > 0 ? [`${counted(count, 'item')} ${what}.`] : [];
}

/** For example "1 item was" and "2 items were". */
function counted(count: number, noun: string): string {
	return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? ' was' : 's were'}`;
}
