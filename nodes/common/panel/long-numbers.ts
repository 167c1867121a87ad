import { bodyWithAllDigits, WrittenNumber } from '../../client/exact-json';
import { findRecords, pick } from '../../client/raw-records';
import { eachField } from './kept-fields';

/** A value of 16 characters or more that is a number, or what looks like one in a text. */
const LONG_NUMBER = /[[:,]\s*(-?\d[\d.eE+-]{15,})/g;

/** Told of all records that come out as items, finds the fields whose whole numbers have lost digits in JavaScript. */
export class LongNumbers {
	readonly fields = new Set<string>();
	private readonly wanted: readonly string[] | undefined;

	/** @param wanted the fields that come out; all where it is undefined */
	constructor(wanted?: readonly string[]) {
		this.wanted = wanted;
	}

	/** @param page its text, and which of the records in it come out */
	lookAt({ text, indexes }: { text: string; indexes: readonly number[] }): void {
		if (this.fields.size > 0 || !mayLoseDigits(text)) return;
		for (const start of pick(findRecords(text), indexes).starts) {
			eachField(text, start, this.wanted, (name, json) => {
				// Reading exactly takes twenty times as long as JSON.parse.
				if (mayLoseDigits(`:${json}`) && losesDigits(json)) this.fields.add(name);
			});
		}
	}
}

function mayLoseDigits(json: string): boolean {
	for (const [, number] of json.matchAll(LONG_NUMBER))
		if (String(Number(number)) !== number) return true;
	return false;
}

/** Whether a value has a whole number beyond 2^53 that JavaScript cannot hold. */
function losesDigits(json: string): boolean {
	const values = [bodyWithAllDigits({ body: undefined, text: json })];
	// The loop goes on over what it adds.
	for (const value of values) {
		if (value instanceof WrittenNumber) {
			const number = Number(value.text);
			if (Number.isInteger(number) && !Number.isSafeInteger(number)) return true;
		} else if (typeof value === 'object' && value !== null) {
			for (const inside of Object.values(value)) values.push(inside);
		}
	}
	return false;
}
