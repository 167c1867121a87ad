import type { IExecuteFunctions } from 'n8n-workflow';

import { hintOnce } from './hints';

const RECORDS_LOOKED_AT = 20;
const MOST_NAMES = 500;

/** Looks at all records that come out, for fields to keep that none of them has; "id" is kept without being asked for. */
export class MissingFields {
	private missing: string[];
	private readonly names = new Set<string>();

	constructor(fields: readonly string[] = []) {
		this.missing = fields.filter((field) => field !== 'id');
	}

	lookAt(records: ReadonlyArray<Record<string, unknown>>): void {
		if (this.missing.length === 0) return;
		this.missing = this.missing.filter((name) => !records.some((one) => Object.hasOwn(one, name)));
		for (const name of records.slice(0, RECORDS_LOOKED_AT).flatMap(Object.keys)) {
			if (this.names.size < MOST_NAMES) this.names.add(name);
		}
	}

	/** Says under the output which fields no record had, and which names are like theirs. */
	hint(context: IExecuteFunctions): void {
		const { missing } = this;
		const names = [...this.names];
		if (missing.length === 0 || names.length === 0) return;
		const near = new Set(missing.flatMap((field) => nearest(field, names)));
		const isCase = missing.some((field) => names.some((name) => isNear(field, name, 0)));
		const ask = isCase ? 'Names are case-sensitive: did' : 'Did';
		const question = near.size > 0 ? ` ${ask} you mean ${[...near].join(', ')}?` : '';
		const fields = `field${missing.length === 1 ? '' : 's'} ${missing.join(', ')}`;
		hintOnce(context, 'missing fields', `No record has the ${fields}.${question}`);
	}
}

/** The name that is most like a field's: by one letter for each three at most, and by no more than two. None or one. */
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
	const isNearBy = (left: number, right: number): boolean =>
		isNear(rest.slice(left), otherRest.slice(right), letters - 1);
	return letters > 0 && (isNearBy(1, 1) || isNearBy(1, 0) || isNearBy(0, 1));
}
