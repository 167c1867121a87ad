import { isObject } from '../client/envelope';
import { canonicalJson, WrittenNumber } from '../client/exact-json';
import type { CursorSort } from './page';
import { momentOf } from './dates';
import { digestOf } from './digests';

/** One version of a record, as it is remembered. */
export type Version = ReturnType<typeof versionOf>;

/**
 * The same `id` with the same order value is the same version; without one of them, only the same content is. `exact` is
 * the record with all digits of its numbers (see `bodyWithAllDigits`); `read` tells the time of a date.
 */
export function versionOf(
	record: Readonly<Record<string, unknown>>,
	field: CursorSort,
	exact: Readonly<Record<string, unknown>> = record,
	read = momentOf,
) {
	const { id, [field]: value } = exact;
	const isNamed = isName(id) && isName(value);
	return {
		/** Tells the version from all others. */
		digest: digestOf(canonicalJson(isNamed ? [id, value] : withoutNulls(exact))),
		/** Value of the order field in ms since 1970, by the service's clock; null when the record has none that can be read. */
		time: read(record[field]),
	};
}

function isName(value: unknown): boolean {
	if (typeof value === 'string') return value !== '';
	return typeof value === 'number' || value instanceof WrittenNumber;
}

/** A service may send a field that has no value as null or not at all. */
function withoutNulls(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutNulls);
	if (!isObject(value) || value instanceof WrittenNumber) return value;
	const entries = Object.entries(value).filter(([, member]) => member !== null);
	return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}
