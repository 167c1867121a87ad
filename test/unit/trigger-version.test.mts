import { describe, expect, it } from 'vitest';

import { timeOf, versionOf } from '../../nodes/WorkspaceDataTrigger/version.ts';

const at = '2026-11-20T09:00:00.000Z';

describe('versionOf', () => {
	const digest = (
		record: Record<string, unknown>,
		field: 'updated_at' | 'created_at' = 'updated_at',
	) => versionOf(record, field).digest;

	it('is the id with the value of the order field, whatever else the record holds', () => {
		const record = { id: 'a', updated_at: at, name: 'x' };
		expect(digest({ ...record, name: 'y' })).toBe(digest(record));
		expect(digest({ ...record, id: 'b' })).not.toBe(digest(record));
		expect(digest({ ...record, updated_at: '2026-11-20T09:00:00.001Z' })).not.toBe(digest(record));
		expect(digest(record)).toMatch(/^[A-Za-z0-9+/]{11}$/);
	});

	it('tells a number from a text, and joined parts from each other', () => {
		expect(digest({ id: 1, updated_at: at })).not.toBe(digest({ id: '1', updated_at: at }));
		expect(digest({ id: 'a', updated_at: 'bc' })).not.toBe(digest({ id: 'ab', updated_at: 'c' }));
	});

	it('is all of the content where there is no id or no date, whatever the order of the fields', () => {
		const record = { updated_at: at, name: 'x', more: { a: 1, b: [2, { c: 3, d: null }] } };
		const turned = { more: { b: [2, { d: null, c: 3 }], a: 1 }, name: 'x', updated_at: at };
		expect(digest(turned)).toBe(digest(record));
		expect(digest({ ...record, name: 'y' })).not.toBe(digest(record));
		expect(digest({ id: 'a', name: 'x' })).not.toBe(digest({ id: 'a', name: 'y' }));
		expect(digest({ id: null, updated_at: at })).not.toBe(digest({ id: '', updated_at: at }));
		expect(versionOf({ id: 'a' }, 'updated_at').time).toBeNull();
	});
});

describe('timeOf', () => {
	it.each([
		['2026-11-20T09:00:00Z', Date.UTC(2026, 10, 20, 9)],
		['2026-11-20T11:00:00+02:00', Date.UTC(2026, 10, 20, 9)],
		['2026-11-20T09:00:00.123456Z', Date.UTC(2026, 10, 20, 9, 0, 0, 123)],
		[1_795_165_200, Date.UTC(2026, 10, 20, 9)],
		[1_795_165_200_000, Date.UTC(2026, 10, 20, 9)],
		['1795165200', Date.UTC(2026, 10, 20, 9)],
		['1795165200.5', Date.UTC(2026, 10, 20, 9, 0, 0, 500)],
	])('reads %j', (value, time) => expect(timeOf(value)).toBe(time));

	it.each([undefined, null, '', 'yesterday', NaN, Infinity, true, {}, []])(
		'cannot read %j',
		(value) => expect(timeOf(value)).toBeNull(),
	);
});
