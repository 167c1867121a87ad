import { describe, expect, it } from 'vitest';

import { pageOf } from '../../../../nodes/shared/lists/page.ts';
import { versionsOf } from '../../../../nodes/shared/lists/record-identity.ts';

const at = '2026-11-20T09:00:00.000Z';

/** Returns the versions (digest and date) of records with these JSON texts. */
function versionsIn(texts: string[]) {
	const text = `{"data":{"items":[${texts.join()}]},"meta":{"pagination":{}}}`;
	return versionsOf(pageOf({ body: JSON.parse(text), text }, 10), 'updated_at');
}
const digests = (texts: string[]): string[] => versionsIn(texts).map(({ digest }) => digest);
const digest = (record: Record<string, unknown>): string => digests([JSON.stringify(record)])[0];

describe('the version of a record', () => {
	it('computes the digest from the id and the date only', () => {
		const record = { id: 'a', updated_at: at, name: 'x' };
		expect(digest({ ...record, name: 'y' })).toBe(digest(record));
		expect(digest({ ...record, id: 'b' })).not.toBe(digest(record));
		expect(digest({ ...record, updated_at: '2026-11-20T09:00:00.001Z' })).not.toBe(digest(record));
		expect(digest(record)).toMatch(/^[A-Za-z0-9+/]{11}$/);
	});

	it('computes the same digest for the same date in any format, and compares dates to the microsecond', () => {
		const forms = [
			...['2026-11-20T09:00:00.123457Z', '2026-11-20 10:00:00,1234570+01', 1_795_165_200_123_457],
			...[1_795_165_200.123457, '1795165200123.457', '1795165200123456999'],
		];
		const dated = (updated: unknown): string => digest({ id: 'a', updated_at: updated });
		expect(new Set(forms.map(dated)).size).toBe(1);
		// A JavaScript number cannot hold this date in nanoseconds exactly.
		const ahead = ['2058-02-04T22:13:37.020Z', '2780086417020000000', 2_780_086_417_020];
		expect(new Set(ahead.map(dated)).size).toBe(1);
		expect(dated('2026-11-20T09:00:00.123458Z')).not.toBe(dated(forms[0]));
		// A date without a time of day is compared as text.
		expect(dated('2026-11-20')).not.toBe(dated('2026-11-20T00:00'));
	});

	it('distinguishes the id 1 from the id "1", and the end of the id from the beginning of the date', () => {
		expect(digest({ id: 1, updated_at: at })).not.toBe(digest({ id: '1', updated_at: at }));
		expect(digest({ id: 'a', updated_at: 'bc' })).not.toBe(digest({ id: 'ab', updated_at: 'c' }));
	});

	it('computes the digest from all fields, in any order, if the id or the date is missing', () => {
		const record = { updated_at: at, name: 'x', more: { a: 1, b: [2, { c: 3, d: null }] } };
		const turned = { more: { b: [2, { d: null, c: 3 }], a: 1 }, name: 'x', updated_at: at };
		expect(digest(turned)).toBe(digest(record));
		expect(digest({ ...record, name: 'y' })).not.toBe(digest(record));
		expect(digest({ id: 'a', name: 'x' })).not.toBe(digest({ id: 'a', name: 'y' }));
		expect(digest({ id: null, updated_at: at })).not.toBe(digest({ id: '', updated_at: at }));
		expect(versionsIn(['{"id":"a"}'])[0].time).toBeNull();
	});

	it('distinguishes numbers above 2^53 that differ only in the last digits', () => {
		const ids = ['9007199254740993', '9007199254740992', '9007199254740993.5'];
		const named = [...ids, `"${ids[0]}"`].map((id) => `{"id":${id},"updated_at":"${at}"}`);
		const unnamed = ids.map((id) => `{"more":[{"number":${id}}],"updated_at":"${at}"}`);
		for (const texts of [named, unnamed]) {
			expect(new Set(digests(texts)).size).toBe(texts.length);
		}
		const [one, other] = digests(
			[ids[0], `${ids[0]}.0`].map((id) => `{"id":${id},"updated_at":1}`),
		);
		expect(one).toBe(other);
	});
});
