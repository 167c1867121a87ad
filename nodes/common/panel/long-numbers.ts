import { bodyWithAllDigits, WrittenNumber } from '../../client/exact-json';
import { findRecords, pick } from '../../client/raw-records';
import { keepFields } from './kept-fields';

/** A number of 16 characters or more. It may also be the end of a text, which costs no more than a closer look. */
const LONG_NUMBER = /[[:,]\s*(-?\d[\d.eE+-]{15,})/g;
const DEEPEST = 20;

type Records = ReadonlyArray<Record<string, unknown>>;

/** Told of all records that come out as items, finds the fields whose whole numbers have lost digits in JavaScript. */
export class LongNumbers {
	readonly fields = new Set<string>();
	private readonly wanted: readonly string[] | undefined;

	/** @param wanted the fields that come out; all where it is undefined */
	constructor(wanted?: readonly string[]) {
		this.wanted = wanted;
	}

	/** @param pages in whose texts the records came, each with the indexes of its records */
	lookAt(records: Records, pages: ReadonlyArray<{ text: string; indexes: number[] }>): void {
		if (this.fields.size > 0) return;
		const lossy = pages.filter(({ text }) => losesDigits(text));
		// Reading exactly takes twenty times as long as JSON.parse.
		if (lossy.length === 0 || this.fieldsWithLong(records).length === 0) return;
		for (const { text, indexes } of lossy) {
			const { starts, ends } = pick(findRecords(text), indexes);
			const exact = starts.map((start, at) => {
				const own = text.slice(start, ends[at]);
				return bodyWithAllDigits({ body: {}, text: own }) as Record<string, unknown>;
			});
			for (const field of this.fieldsWithLong(exact, true)) this.fields.add(field);
		}
	}

	private fieldsWithLong(records: Records, isExact = false): string[] {
		return records.flatMap((record) => {
			const entries = Object.entries(keepFields(record, this.wanted));
			return entries.flatMap(([field, value]) => (holdsLong(value, isExact) ? field : []));
		});
	}
}

function losesDigits(text: string): boolean {
	for (const [, number] of text.matchAll(LONG_NUMBER))
		if (String(Number(number)) !== number) return true;
	return false;
}

/** Whether there is a whole number beyond 2^53, of `isExact` values one that JavaScript cannot hold. */
function holdsLong(value: unknown, isExact: boolean, depth = 1): boolean {
	if (value instanceof WrittenNumber || (typeof value === 'number' && !isExact)) {
		const number = Number(value instanceof WrittenNumber ? value.text : value);
		return Number.isInteger(number) && !Number.isSafeInteger(number);
	}
	if (typeof value !== 'object' || value === null || depth === DEEPEST) return false;
	return Object.values(value).some((inside) => holdsLong(inside, isExact, depth + 1));
}
