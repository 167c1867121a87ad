import { describe, expect, it } from 'vitest';

import { announcementOf, waitIn, timeOfAnswer } from '../../../nodes/client/rate-limit.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);
const SECONDS = NOW / 1_000;

describe('announcementOf', () => {
	it.each([
		['the IETF draft', { ratelimit: '"default";r=12;t=4' }, { remaining: 12, resetMs: 4_000 }],
		[
			'the IETF draft with a policy',
			{ ratelimit: '"default";r=12;t=4', 'ratelimit-policy': '"default";q=100;w=60' },
			{ remaining: 12, resetMs: 4_000, limit: 100, windowMs: 60_000 },
		],
		[
			'a policy that has to say how long the window is',
			{ ratelimit: '"default";r=0', 'ratelimit-policy': '"default";q=100;w=60' },
			{ remaining: 0, resetMs: 60_000, limit: 100, windowMs: 60_000 },
		],
		[
			'several limits, of which the narrowest counts',
			{
				ratelimit: '"day";r=900;t=7200, "burst; r=0";r=3;t=1',
				'ratelimit-policy': '"day";q=1000;w=86400, "burst";q=10;w=1',
			},
			{ remaining: 3, resetMs: 1_000, limit: 10, windowMs: 1_000 },
		],
		[
			'an older draft in one header',
			{ ratelimit: 'limit=100, remaining=50, reset=5' },
			{ remaining: 50, resetMs: 5_000 },
		],
		[
			'an older draft in several',
			{ 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '50', 'ratelimit-reset': '5' },
			{ remaining: 50, resetMs: 5_000, limit: 100, windowMs: 60_000 },
		],
		[
			'X- with seconds',
			{ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '1.5' },
			{ remaining: 7, resetMs: 1_500, limit: 100 },
		],
		...[
			String(SECONDS + 30),
			String(NOW + 30_000),
			new Date(NOW + 30_000).toUTCString(),
			new Date(NOW + 30_000).toISOString(),
		].map((reset): [string, object, object] => [
			`X- with a time as ${reset}`,
			{ 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': reset },
			{ remaining: 7, resetMs: 30_000 },
		]),
		[
			'a time that has gone by',
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(SECONDS - 5) },
			{ remaining: 0, resetMs: 0 },
		],
	])('reads %s', (_name, headers, expected) => {
		const unknown = { limit: undefined, windowMs: undefined };
		expect(announcementOf({ ...headers }, NOW)).toEqual({ ...unknown, ...expected });
	});

	it.each([
		[{}],
		[{ ratelimit: '' }],
		[{ ratelimit: '"default";r=12' }],
		[{ ratelimit: '"default";t=12' }],
		[{ ratelimit: '"default";r=-1;t=5' }],
		[{ 'x-ratelimit-remaining': '5' }],
		[{ 'x-ratelimit-reset': '5' }],
		[{ 'x-ratelimit-remaining': 'none', 'x-ratelimit-reset': '5' }],
		[{ 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': 'soon' }],
		// A year ahead: nothing to wait for.
		[{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(SECONDS + 31_536_000) }],
		[{ ratelimit: '"default";r=0;t=31536000' }],
	])('makes nothing of %j', (headers) => {
		expect(announcementOf(headers, NOW)).toBeUndefined();
	});
});

describe('waitIn', () => {
	it.each([
		['0', 0],
		[' 7 ', 7_000],
		['0.25', 250],
		['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
		['Friday, 20-Nov-26 12:00:30 GMT', 30_000],
		['Fri Nov 20 12:00:30 2026 GMT', 30_000],
		['Fri, 20 Nov 2026 11:00:00 GMT', 0],
	])('reads %j', (header, expected) => {
		expect(waitIn(header, NOW)).toBe(expected);
	});

	it.each([
		...[undefined, null, '', ' ', '-5', '5 s', 'NaN', 'Infinity', '1e3', 'soon', {}, []],
		...['2026-11-20T12:00:30Z x', 'wait 5', 'limit 60', 'retry 1'],
	])('makes nothing of %j', (header) => {
		expect(waitIn(header, NOW)).toBeUndefined();
	});
});

it("times count from the service's own clock where it says so", () => {
	expect(timeOfAnswer({ date: new Date(NOW).toUTCString() }, 5)).toBe(NOW);
	for (const date of [undefined, '', 'yesterday']) expect(timeOfAnswer({ date }, 5)).toBe(5);
});
