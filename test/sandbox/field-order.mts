import { parseRecord } from './exact-json.mts';
import type { ComposeRecord } from './record-text.mts';

/** The fields that records can be sorted by: those that hold a single value. */
export function sortableFieldsOf(compose: ComposeRecord): string[] {
	// Index 3 is the first that has every field.
	const state = { index: 3, createdAt: 0, updatedAt: 0, revision: 1 };
	const entries = Object.entries(parseRecord(compose(state)));
	const isSingle = (value: unknown) => value === null || typeof value !== 'object';
	return entries.filter(([, value]) => isSingle(value)).map(([field]) => field);
}

/** Indexes in the order of a field's values; where they are equal, in the order given. */
export function sortedByField(
	indexes: readonly number[],
	field: string,
	textOf: (index: number) => string,
): number[] {
	return indexes
		.map((index) => ({ index, value: parseRecord(textOf(index))[field] }))
		.sort((first, second) => compareValues(first.value, second.value))
		.map(({ index }) => index);
}

/** The order of two values of one field: ascending, missing values last. */
function compareValues(first: unknown, second: unknown): number {
	const isFirstMissing = first === undefined || first === null;
	const isSecondMissing = second === undefined || second === null;
	if (isFirstMissing || isSecondMissing) return Number(isFirstMissing) - Number(isSecondMissing);
	if (first === second) return 0;
	return (first as number) < (second as number) ? -1 : 1;
}
