import type { IExecuteFunctions } from 'n8n-workflow';

import type { Told } from '../changes/texts';
import { redact } from '../client/secrets';

/** What no hint and no line in the log of an execution shows; an array may grow. */
export const secretsIn = new WeakMap<IExecuteFunctions, readonly string[]>();

/** A text with what users entered, which may be anything, without the secrets of this execution. */
export function withoutSecrets(context: IExecuteFunctions, text: string): string {
	return redact(text, secretsIn.get(context) ?? []);
}

const happenedIn = new WeakMap<IExecuteFunctions, Set<string>>();

/** Whether something happens in this execution for the first time. */
export function isFirst(context: IExecuteFunctions, what: string): boolean {
	const happened = happenedIn.get(context) ?? new Set();
	happenedIn.set(context, happened);
	const { size } = happened;
	return happened.add(what).size > size;
}

/** Shows a hint under the output. Versions of n8n before hints lack the function. */
export function hint(context: IExecuteFunctions, message: string): void {
	const clean = withoutSecrets(context, message);
	context.addExecutionHints?.({ message: clean, location: 'outputPane' });
}

/** The same, and in n8n's log: nobody looks at the output of a scheduled run. */
export function warn(context: IExecuteFunctions, message: string): void {
	tell(context, { level: 'warn', message });
}

/** A line in n8n's log, and a hint where it is a warning. */
export function tell(context: IExecuteFunctions, { level, message }: Told): void {
	context.logger[level](`Workspace Data: ${withoutSecrets(context, message)}`);
	if (level === 'warn') hint(context, message);
}

/** A hint that several input items may give reason to show. */
export function hintOnce(context: IExecuteFunctions, topic: string, message: string): void {
	if (isFirst(context, `hint ${topic}`)) hint(context, message);
}

/** Names that exist are taken from so many records of each page, until so many are known. */
const LOOKED_AT = 20;
const MOST_NAMES = 500;

/** Told of all records that come out, finds out which of the fields to keep no record has. */
export class MissingFields {
	private missing: string[];
	private readonly names = new Set<string>();

	/** @param fields to keep; the ID is among them even if nobody has named it */
	constructor(fields: readonly string[] = []) {
		this.missing = fields.filter((field) => field !== 'id');
	}

	lookAt(records: ReadonlyArray<Record<string, unknown>>): void {
		if (this.missing.length === 0) return;
		this.missing = this.missing.filter(
			(field) => !records.some((one) => Object.hasOwn(one, field)),
		);
		for (const name of records.slice(0, LOOKED_AT).flatMap(Object.keys)) {
			if (this.names.size < MOST_NAMES) this.names.add(name);
		}
	}

	/** Which fields no record had, and which names are like theirs. */
	hint(context: IExecuteFunctions): void {
		const { missing } = this;
		const names = [...this.names];
		if (missing.length === 0 || names.length === 0) return;
		const near = new Set(missing.flatMap((field) => nearest(field, names)));
		const isCase = missing.some((field) => names.some((name) => isNear(field, name, 0)));
		const ask = isCase ? 'Names are case-sensitive: did' : 'Did';
		const question = near.size > 0 ? ` ${ask} you mean ${[...near].join(', ')}?` : '';
		const fields = missing.length === 1 ? 'field' : 'fields';
		const message = `No record has the ${fields} ${missing.join(', ')}.${question}`;
		hintOnce(context, 'missing fields', message);
	}
}

/** The most similar name, or none: at most one typo per three letters of the field, and two in all. */
function nearest(field: string, names: string[]): string[] {
	const steps = [0, 1, 2].filter((letters) => letters * 3 <= field.length);
	const found = steps.flatMap((letters) => names.filter((name) => isNear(field, name, letters)));
	return found.slice(0, 1);
}

/** Whether so many letters at most must be changed, added or removed to make one name the other; case does not count. */
function isNear(field: string, name: string, letters: number): boolean {
	const [one, other] = [field.toLowerCase(), name.toLowerCase()];
	if (Math.abs(one.length - other.length) > letters) return false;
	let same = 0;
	while (same < one.length && one[same] === other[same]) same++;
	if (same === one.length || same === other.length) return true;
	const [rest, otherRest] = [one.slice(same), other.slice(same)];
	const [next, otherNext] = [one.slice(same + 1), other.slice(same + 1)];
	const goesOn = (left: string, right: string): boolean => isNear(left, right, letters - 1);
	if (letters === 0) return false;
	return goesOn(next, otherNext) || goesOn(next, otherRest) || goesOn(rest, otherNext);
}
