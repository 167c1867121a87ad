import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseRetryAfter } from '../../../nodes/client/rate-limit.ts';

describe('parseRetryAfter', () => {
	const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

	it.each([
		['0', 0],
		['7', 7_000],
		[' 7 ', 7_000],
		['0.25', 250],
		[7, 7_000],
		[['3', '9'], 3_000],
		['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
		['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
		['Fri Nov 20 12:00:30 2026 GMT', 30_000],
		['Fri, 20 Nov 2026 11:00:00 GMT', 0],
	])('reads %j', (header, expected) => {
		expect(parseRetryAfter(header, NOW)).toBe(expected);
	});

	it.each([
		undefined,
		null,
		'',
		' ',
		'-5',
		'5 s',
		'NaN',
		'Infinity',
		'1e3',
		'soon',
		'2026-11-20T12:00:30Z x',
		true,
		{},
		[],
		-5,
		NaN,
		Infinity,
	])('makes nothing of %j', (header) => {
		expect(parseRetryAfter(header, NOW)).toBeUndefined();
	});

	it.each(['wait 5', 'limit 60', 'retry 1'])('does not take the words %j for a date', (header) => {
		expect(parseRetryAfter(header, NOW)).toBeUndefined();
	});

	it('never gives a negative number or NaN, whatever the header', () => {
		const header = fc.oneof(
			fc.anything(),
			fc.string(),
			fc.stringMatching(/^[0-9]{1,400}(\.[0-9]+)?$/),
			fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
			fc.tuple(fc.constantFrom('Jan', 'Fri, ', 'x'), fc.string()).map((parts) => parts.join('')),
		);
		fc.assert(
			fc.property(header, fc.nat(4e12), (value, now) => {
				const wait = parseRetryAfter(value, now);
				if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(0);
			}),
			{ numRuns: 300 },
		);
	});
});
