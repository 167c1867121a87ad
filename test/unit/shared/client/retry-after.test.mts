import { describe, expect, it, vi } from 'vitest';

import { retryAfterOf } from '../../../../nodes/shared/client/envelope.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

const waitAfter = (headers: object) =>
	retryAfterOf({ statusCode: 429, headers: { ...headers }, text: '' }, NOW);

describe('retryAfterOf', () => {
	it.each([
		['0', 0],
		[' 7 ', 7_000],
		['0.25', 250],
		['30000', 30_000_000],
		['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
		['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
		['Fri Nov 20 12:00:30 2026 GMT', 30_000],
		['Fri, 20 Nov 2026 11:00:00 GMT', 0],
		...[
			...[undefined, null, '', ' ', '-5', '5 s', 'NaN', 'Infinity', '1e3', 'soon', {}, []],
			...['2026-11-20T12:00:30Z x', 'wait 5', 'limit 60', 'retry 1'],
			'on Fri, 20 Nov 2026 12:00:30 GMT',
		].map((header): [unknown, undefined] => [header, undefined]),
		...['2026-11-20T12:00:30', '2026-11-20 12:00:30', 'Fri Nov 20 12:00:30 2026'].flatMap((date) =>
			['', 'Z', '+00:00', '+0000'].map((zone): [unknown, number] => [`${date}${zone}`, 30_000]),
		),
	])('reads the Retry-After header %j as %j ms in any time zone of the server', (header, ms) => {
		vi.stubEnv('TZ', 'America/New_York');
		expect(waitAfter({ 'retry-after': header })).toBe(ms);
	});

	it('counts a Retry-After date from the Date header if the response has a valid one', () => {
		const inHalfAMinute = { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' };
		expect(waitAfter({ ...inHalfAMinute, date: 'Fri, 20 Nov 2026 12:00:10 GMT' })).toBe(20_000);
		for (const date of ['', 'yesterday', '5'])
			expect(waitAfter({ ...inHalfAMinute, date })).toBe(30_000);
	});

	it('ignores other rate limit headers, because services use different units for their reset times', () => {
		const resets = {
			'ratelimit-reset': '5',
			'x-ratelimit-reset': '5',
			'x-ratelimit-remaining': '0',
		};
		expect(waitAfter({ ...resets, ratelimit: '"default";r=0;t=4' })).toBeUndefined();
	});
});
