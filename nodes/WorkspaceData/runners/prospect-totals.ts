import { isObject } from '../../shared/envelope';

/** Adds up, over one run, what the answers of Prospect say of results that they do not hold. */
export class ProspectTotals {
	private answers = 0;
	private total = 0;
	private cameOut = 0;
	private isTotalKnown = true;

	/**
	 * Notes one answer. Only `meta.pagination` of spec section 2.2 is read.
	 *
	 * @param results what comes out of the answer
	 */
	note(answer: unknown, results: readonly unknown[]): void {
		const meta = isObject(answer) && isObject(answer.meta) ? answer.meta : {};
		const { total, next_cursor: cursor } = isObject(meta.pagination) ? meta.pagination : {};
		const isMore = typeof total === 'number' && total > results.length;
		if (!isMore && (typeof cursor !== 'string' || cursor === '')) return;
		this.answers++;
		this.cameOut += results.length;
		if (isMore) this.total += total;
		else this.isTotalKnown = false;
	}

	/** For the user, once all answers are noted; undefined when everything came out. */
	hint(): string | undefined {
		if (this.answers === 0) return undefined;
		const cameOut = this.cameOut.toLocaleString('en-US');
		const found = this.isTotalKnown
			? `found ${this.total.toLocaleString('en-US')} results, of which ${cameOut} came out`
			: `found more results than the ${cameOut} that came out`;
		const where = this.answers === 1 ? '' : ` for ${this.answers} input items`;
		return `Prospect ${found}${where}. To get more, add the field with which your service takes a number of results or a next page to the data to send: its documentation says what it is called.`;
	}
}
