import { describe, expect, it, vi } from 'vitest';

import { retryAfterOf, timeOfAnswer } from '../../../nodes/client/refusal.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);
const SECONDS = NOW / 1_000;

const waitAfter = (headers: object, statusCode = 429) =>
	retryAfterOf({ statusCode, headers: { ...headers }, text: '' }, NOW, 60_000);

describe('retryAfterOf', () => {
	const minute = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' };

	it.each<[object, number | undefined]>([
		[{ ratelimit: '"default";r=0;t=4' }, 4_000],
		[{ ratelimit: '"day";r=900;t=7200, "burst; r=9";r=0;t=1, "minute";r=0;t=30' }, 30_000],
		[{ ratelimit: '"a; r=9";r=0;t=4' }, 4_000],
		[{ ratelimit: 'limit=100, remaining=0, reset=5' }, 5_000],
		[{ 'ratelimit-remaining': '0', 'ratelimit-reset': '5' }, 5_000],
		[{ 'ratelimit-reset': '5' }, 5_000],
		[minute, 60_000],
		...[
			String(SECONDS + 30),
			String(NOW + 30_000),
			new Date(NOW + 30_000).toUTCString(),
			new Date(NOW + 30_000).toISOString(),
		].map((reset): [object, number] => [{ ...minute, 'x-ratelimit-reset': reset }, 30_000]),
		[{ ...minute, 'retry-after': '3' }, 3_000],
		[{ ...minute, 'retry-after': '0' }, 0],
		[{ ...minute, 'retry-after': 'soon' }, 60_000],
		[{}, undefined],
		[{ ratelimit: '"default";r=12;t=4' }, undefined],
		[{ ratelimit: 'limit=100, remaining=050, reset=5' }, undefined],
		[{ ...minute, 'x-ratelimit-remaining': '7' }, undefined],
		[{ ...minute, 'x-ratelimit-reset': 'soon' }, undefined],
		[{ ...minute, 'x-ratelimit-reset': '0' }, undefined],
		[{ ...minute, 'x-ratelimit-reset': String(SECONDS - 5) }, undefined],
		[{ 'x-ratelimit-limit': '0' }, undefined],
		// Longer than Max Wait, since it is meant in ms.
		[{ 'x-ratelimit-reset': '60000' }, undefined],
	])('of a refusal with %j is %s', (headers, expected) => {
		expect(waitAfter(headers)).toBe(expected);
	});

	it.each([
		['0', 0],
		[' 7 ', 7_000],
		['0.25', 250],
		['1000000000', 0],
		['100000000000', 0],
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
	])('reads Retry-After %j as %j, wherever this server stands', (header, expected) => {
		vi.stubEnv('TZ', 'America/New_York');
		expect(waitAfter({ 'retry-after': header })).toBe(expected);
	});

	it('believes resets of a 429 only: others may name the window that they were counted in', () => {
		for (const statusCode of [200, 403, 500, 503]) {
			expect(waitAfter(minute, statusCode)).toBeUndefined();
			expect(waitAfter({ 'retry-after': '3' }, statusCode)).toBe(3_000);
		}
	});
});

it("times count from the service's own clock where it says so", () => {
	expect(timeOfAnswer({ date: new Date(NOW).toUTCString() }, 5)).toBe(NOW);
	for (const date of [undefined, '', 'yesterday', '5']) expect(timeOfAnswer({ date }, 5)).toBe(5);
});

it('a date of whole seconds makes no wait longer where both clocks agree', () => {
	const date = new Date(NOW).toUTCString();
	for (const [now, expected] of [
		[-1, 0],
		[0, 0],
		[999, 999],
		[1_000, 0],
	] as const) {
		expect(timeOfAnswer({ date }, NOW + now)).toBe(NOW + expected);
	}
});
