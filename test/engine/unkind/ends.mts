/** Services whose lists seem to end early, and what must come of them: every record once, or an error that counts. */
import { expect } from 'vitest';
import type { Sandbox, Unkindness } from '../../sandbox/types.mts';

/** A service, which of its lists is read, and the node's options there. */
export interface EarlyEnd {
	unkind: Unkindness;
	objectType: ListedType;
	options?: Record<string, unknown>;
}

/** Companies are many, orders just more than the first two pages hold. */
export type ListedType = 'company' | 'order';

/** Records of each type; fewer companies where following them takes longer. */
export const RECORDS = { company: 5_000, followedCompany: 2_600, order: 700 };

/** Told apart by a field that has all its digits in every setting. */
const keyFields = { company: 'domain', order: 'number' };

type Service = Omit<EarlyEnd, 'objectType'>;
const of =
	(objectType: ListedType) =>
	(service: Service): EarlyEnd => ({ ...service, objectType });

/** Services with long lists, for every way in which records come out. */
const ofCompanies: Service[] = [
	{ unkind: { rowCap: 1_000 } },
	{ unkind: { rowCap: 500 } },
	{ unkind: { rowCap: 250 } },
	{ unkind: { rowCap: 50 } },
	{ unkind: { nothingAbove: 100 } },
	{ unkind: { refusePageSizeAbove: { size: 20, status: 422 } } },
];

/** Many services, each with one thing that is its own. */
const ofOrders: Service[] = [
	{ unkind: { rowCap: 101 } },
	{ unkind: { rowCap: 100 } },
	{ unkind: { rowCap: 21 } },
	{ unkind: { rowCap: 15 }, options: { pageSize: 10 } },
	{ unkind: { rowCap: 250 }, options: { pageSize: 250 } },
	{ unkind: { rowCap: 250, total: 'absent' } },
	{ unkind: { rowCap: 50, total: 'absent' } },
	{ unkind: { rowCap: 250 }, options: { ignoreTotal: true } },
	// The total is too low, so what comes soon contradicts it.
	{ unkind: { rowCap: 250, total: { factor: 0.9 } } },
	{ unkind: { rowCap: 300, total: { factor: 0.05 } } },
	{ unkind: { total: { factor: 0.5 } } },
	{ unkind: { total: { factor: 1.1 } }, options: { ignoreTotal: true } },
	{ unkind: { rowCap: 250, total: { factor: 1.1 } }, options: { ignoreTotal: true } },
	{ unkind: { total: 'absent' } },
	{ unkind: { nothingAbove: 1_000 } },
	{ unkind: { nothingAbove: 20 } },
	{ unkind: { nothingAbove: 100, total: 'absent' } },
	{ unkind: { refusePageSizeAbove: { size: 50, status: 422 } } },
	{ unkind: { refusePageSizeAbove: { size: 50, status: 400 } } },
	{ unkind: { refusePageSizeAbove: { size: 20, status: 413 } } },
	{ unkind: { refusePageSizeAbove: { size: 500, status: 400 }, rowCap: 250 } },
	{ unkind: { silentPageCap: 50 } },
	{ unkind: { cursorsCountPages: true } },
	{ unkind: { cursorsCountPages: true, rowCap: 250 } },
	{ unkind: { cursorsBoundToLimit: true } },
	{ unkind: { cursorsBoundToLimit: true, rowCap: 250 } },
	{ unkind: { emptyPages: { count: 150, at: 300 } } },
	{ unkind: { emptyPages: { count: 5, at: 0 }, rowCap: 250 } },
	// The empty pages have a next cursor, which says nothing about full ones.
	{ unkind: { emptyPages: { count: 5, at: 0 }, rowCap: 50, total: 'absent' } },
	{ unkind: { changingField: true, rowCap: 250 } },
	{ unkind: { changingField: true, cursorsCountPages: true } },
	{ unkind: { numericIds: true, rowCap: 250 } },
];

/** Services that every list, the trigger and Sync read to the end. */
export const readWhole: EarlyEnd[] = [
	...ofCompanies.map(of('company')),
	...ofOrders.map(of('order')),
];

/** A service whose lists end with an error: so many records came of so many, all that there are where it is not said. */
export type ProvenShort = EarlyEnd & { came: number; total?: number };

/** Services that hold more than they give in any way. */
export const provenShort: ProvenShort[] = [
	// The smallest page that is tried holds 20 records.
	{ unkind: { rowCap: 20 }, objectType: 'company', came: 20 },
	{ unkind: { rowCap: 10 }, objectType: 'company', came: 10 },
	{ unkind: { nothingAbove: 10 }, objectType: 'company', came: 0 },
];

/** Services that say to hold more than they do. */
export const overestimated: ProvenShort[] = [
	{ unkind: { total: { factor: 1.1 } }, objectType: 'order', came: 700, total: 770 },
	{ unkind: { rowCap: 250, total: { factor: 1.1 } }, objectType: 'order', came: 700, total: 770 },
];

/** One service of a table, as a title. */
export function titleOf({ unkind, options = {} }: Service): string {
	return Object.entries({ ...unkind, ...options })
		.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
		.join(', ');
}

/** The table with a title in each row. */
export function titled<Row extends EarlyEnd>(rows: readonly Row[]): Array<Row & { title: string }> {
	return rows.map((row) => ({ ...row, title: titleOf(row) }));
}

/** What the error says where a list ended early. */
export function endedEarly(came: number, total: number): string {
	const [read, all] = [came, total].map((count) => count.toLocaleString('en-US'));
	return `The list ended early: ${read} of ${all} records came`;
}

/** Each record of a list came, and came once. Says numbers only, since thousands of records would hide them. */
export function expectEachOnce(
	sandbox: Sandbox,
	objectType: ListedType,
	found: ReadonlyArray<Record<string, unknown>>,
): void {
	const key = keyFields[objectType];
	const wanted = [...sandbox.records(objectType)].map((record) => String(record[key]));
	const distinct = distinctOf(objectType, found);
	const missing = wanted.filter((one) => !distinct.has(one)).length;
	expect({ came: found.length, distinct: distinct.size, missing }).toEqual({
		came: wanted.length,
		distinct: wanted.length,
		missing: 0,
	});
}

/** What tells the records apart that came. */
export function distinctOf(
	objectType: ListedType,
	found: ReadonlyArray<Record<string, unknown>>,
): Set<string> {
	return new Set(found.map((record) => String(record[keyFields[objectType]])));
}
