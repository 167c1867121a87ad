import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { preciseTimeOf, timeOf } from '../../../../nodes/shared/lists/dates.ts';

describe('timeOf', () => {
	it.each([
		[' 2026-11-20T09:00:00Z\n', Date.UTC(2026, 10, 20, 9)],
		['2026-11-20T11:00:00+02:00', Date.UTC(2026, 10, 20, 9)],
		['2026-11-20T09:00:00.123456Z', Date.UTC(2026, 10, 20, 9, 0, 0, 123) + 0.456],
		[1_795_165_200, Date.UTC(2026, 10, 20, 9)],
		[1_795_165_200_000, Date.UTC(2026, 10, 20, 9)],
		[1_795_165_200_000_000, Date.UTC(2026, 10, 20, 9)],
		[1_795_165_200.123, Date.UTC(2026, 10, 20, 9, 0, 0, 123)],
		['1795165200123000000', Date.UTC(2026, 10, 20, 9, 0, 0, 123)],
		['1795165200000000000', Date.UTC(2026, 10, 20, 9)],
		[1_795_165_200_500_000, Date.UTC(2026, 10, 20, 9, 0, 0, 500)],
		['1795165200', Date.UTC(2026, 10, 20, 9)],
		[0, 0],
		['100000000', Date.UTC(1973, 2, 3, 9, 46, 40)],
		['1795165200.50', Date.UTC(2026, 10, 20, 9, 0, 0, 500)],
		['2026-11-20 11:00:00+0200', Date.UTC(2026, 10, 20, 9)],
		['2026-11-20t09:00:00z', Date.UTC(2026, 10, 20, 9)],
		// Date.parse rejects these ISO 8601 formats.
		['2026-11-20T09:00:00+00', Date.UTC(2026, 10, 20, 9)],
		['2026-11-20T06:00:00-03', Date.UTC(2026, 10, 20, 9)],
		['2026-11-20T14:30:00 +0530', Date.UTC(2026, 10, 20, 9)],
		['2026-11-20 09:00:00,250Z', Date.UTC(2026, 10, 20, 9, 0, 0, 250)],
		['Fri, 20 Nov 2026 09:00:00 GMT', Date.UTC(2026, 10, 20, 9)],
	])('reads the date %j', (value, time) => {
		expect(timeOf(value)).toBe(time);
		expect(preciseTimeOf(value)).toBe(time);
	});

	const rough = ['2026-11-20', '2026-11-20T09:00', '2026-11-20T09:00+02:00'];
	it.each(rough)('reads the date %j, which is imprecise without seconds', (value) => {
		expect(timeOf(value)).not.toBeNull();
		expect(preciseTimeOf(value)).toBeNull();
	});

	describe('a time zone with daylight saving time', () => {
		const zone = process.env.TZ;
		beforeAll(() => {
			process.env.TZ = 'Europe/Berlin';
		});
		afterAll(() => {
			if (zone === undefined) delete process.env.TZ;
			else process.env.TZ = zone;
		});

		it('reads a date without a time zone as UTC', () => {
			// Check that the time zone is in effect. Otherwise the test would prove nothing. On this day, 02:30 occurs
			// twice in Berlin.
			expect(new Date(2025, 9, 26, 1, 30).getTimezoneOffset()).toBe(-120);
			const time = Date.UTC(2025, 9, 26, 2, 30);
			for (const date of [
				'2025-10-26T02:30:00',
				'2025-10-26T02:30',
				'2025-10-26 02:30:00.000',
				'2025-10-26T02:30:00Z',
				'2025-10-26T04:30:00+02:00',
			]) {
				expect([date, timeOf(date)]).toEqual([date, time]);
			}
			expect(timeOf('2025-10-26')).toBe(Date.UTC(2025, 9, 26));
			// On this day, 02:30 does not exist in Berlin, because the clocks go forward.
			expect(timeOf('2025-03-30 02:30:00')).toBe(Date.UTC(2025, 2, 30, 2, 30));
		});
	});

	const noDates = [
		undefined,
		null,
		'',
		'on 2026-11-20',
		'2026-11-20 at 9',
		'Fri, 20 Nov 2026',
		'Fri, 20 Foo 2026 09:00:00 GMT',
	];
	// None of these numbers is a time since 1970: a year, numbers of days, a negative number, and dates written as
	// digits.
	const numbers = ['2026', 20_417, 45_982.5, -1, 20_261_120, '202611200900', 20_261_120_090_000];
	const compact = ['20261120090000.5', '20261120090000123', '20261120090000123456', ...numbers];
	const others: unknown[] = ['2026-13-01', NaN, Infinity, true, {}, [], [5], { toString: 1 }];
	const nested: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
	it('returns null for a deeply nested array', () => expect(preciseTimeOf(nested)).toBeNull());
	it.each([...noDates, ...compact, ...others])('returns null for the invalid date %j', (value) => {
		expect(timeOf(value)).toBeNull();
		expect(preciseTimeOf(value)).toBeNull();
	});
});
