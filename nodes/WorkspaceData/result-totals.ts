import { isObject } from '../client/envelope';

/** Adds up, over one run, what the answers of calls say of results that they do not hold. */
export class ResultTotals {
	/** For each answer that does not hold everything: all results, where it says how many, and those that came out. */
	private readonly answers: Array<{ total: number | undefined; cameOut: number }> = [];

	/**
	 * Notes one answer. Only `meta.pagination` (docs/maintainers/api.md, Envelope) is read.
	 *
	 * @param count how many results the answer holds
	 */
	note(answer: unknown, count: number): void {
		const meta = isObject(answer) && isObject(answer.meta) ? answer.meta : {};
		const { total, next_cursor: cursor } = isObject(meta.pagination) ? meta.pagination : {};
		const isMore = typeof total === 'number' && total > count;
		if (!isMore && (typeof cursor !== 'string' || cursor === '')) return;
		this.answers.push({ total: isMore ? total : undefined, cameOut: count });
	}

	/** For the user, once all answers are noted; undefined when everything came out. */
	hint(operationName: string): string | undefined {
		if (this.answers.length === 0) return undefined;
		const cameOut = sum(this.answers.map((answer) => answer.cameOut));
		const totals = this.answers.flatMap(({ total }) => total ?? []);
		const found =
			totals.length < this.answers.length
				? `more results than the ${written(cameOut)} that it returned`
				: `${written(sum(totals))} results${this.each(totals)} and returned ${written(cameOut)}`;
		return `${operationName} found ${found}. To get more, send the field that sets the number of results or the next page: your service's documentation names it. To see the full API response, set the option Output to Whole Response.`;
	}

	private each(totals: number[]): string {
		if (totals.length === 1) return '';
		const most = totals.reduce((larger, total) => Math.max(larger, total));
		return ` for ${written(totals.length)} input items (up to ${written(most)} for one)`;
	}
}

function sum(numbers: number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}

function written(count: number): string {
	return count.toLocaleString('en-US');
}
