// nodes/common/session/: the requests of one run of a node: transport, credential, whose workspace it is, its place.

import type { PollResult } from '../../changes/poll';

/** Other text holds no integer beyond 2^53. */
const MAY_BE_LONG = /\d{16}/;
/** So many of a page are compared with its text, so deep in its records. */
const COMPARED = 20;
const DEEPEST = 4;

/** Told of all records that come out as items, finds the fields whose whole numbers have lost digits in JavaScript. */
export class LongNumbers {
	private readonly fields = new Set<string>();

	/** @param text in which the records came */
	lookAt(records: ReadonlyArray<Record<string, unknown>>, text: string): void {
		if (this.fields.size > 0 || !MAY_BE_LONG.test(text)) return;
		const long = records.flatMap((record) => longNumbersIn(record)).slice(0, COMPARED);
		for (const [field, number] of long) if (!text.includes(String(number))) this.fields.add(field);
	}

	/** The same for records of several pages, each of which stands in the text of its own page only. */
	lookAtPages({ records, asSent }: Pick<PollResult, 'records' | 'asSent'>): void {
		let from = 0;
		for (const { text, indexes } of asSent)
			this.lookAt(records.slice(from, (from += indexes.length)), text);
	}

	/** @param wanted the fields that come out; all where it is undefined */
	among(wanted?: readonly string[]): string[] {
		const comesOut = (field: string) =>
			wanted?.some((one) => one === field || one.startsWith(`${field}.`)) ?? true;
		return [...this.fields].filter(comesOut);
	}
}

/** Whole numbers beyond 2^53, each with the outermost field that it is in. */
function longNumbersIn(value: object, depth = 1): Array<[string, number]> {
	return Object.entries(value).flatMap(([field, inside]: [string, unknown]) => {
		if (typeof inside === 'number') {
			const isLong = Number.isInteger(inside) && !Number.isSafeInteger(inside);
			// From 1e21 on, JavaScript writes an exponent.
			return isLong && Math.abs(inside) < 1e21 ? [[field, inside]] : [];
		}
		if (typeof inside !== 'object' || inside === null || depth === DEEPEST) return [];
		return longNumbersIn(inside, depth + 1).map(([, number]): [string, number] => [field, number]);
	});
}
