import { describe, expect, it } from 'vitest';

import type { HttpMethod, RawResponse } from '../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { BASE_URL, bench } from './transport-bench.mts';

const ADDRESS = `${BASE_URL}/v2/public/items`;
const STATUSES = [300, 301, 302, 303, 307, 308, 399];

/** Sends one request to a service that answers by address; gives the end of it and every address that was asked. */
async function follow(
	method: HttpMethod,
	answers: (address: string) => { statusCode: number; location?: unknown },
): Promise<{ end: RawResponse | ServiceFailure; asked: string[]; queries: unknown[] }> {
	const asked: string[] = [];
	const answer = (address: string) => {
		asked.push(address);
		const { statusCode, location } = answers(address);
		return { statusCode, headers: { location }, body: '' };
	};
	const { transport, calls } = bench(() => answer(calls.at(-1)?.options.url ?? ''));
	const query = { limit: 5 };
	const request = { method, path: '/v2/public/items', query, risk: 'safe' } as const;
	const end = await transport(request, 1_000).catch((error: unknown) => {
		if (error instanceof ServiceFailure) return error;
		throw error;
	});
	return { end, asked, queries: calls.map(({ options }) => options.qs) };
}

/** Redirects the first address, and answers every other. */
const moved = (statusCode: number, location: unknown) => (address: string) =>
	address === ADDRESS ? { statusCode, location } : { statusCode: 200 };

describe('a redirect', () => {
	it.each([200, 204, 299, 400, 404, 500])('is not HTTP %i', async (statusCode) => {
		const { end } = await follow('GET', () => ({ statusCode, location: '/elsewhere' }));
		expect(end).toMatchObject({ statusCode });
	});

	it.each([
		['/elsewhere?cursor=2', 'https://api.example.com/elsewhere?cursor=2'],
		['items/?a=1', 'https://api.example.com/data/v2/public/items/?a=1'],
		['https://API.example.com:443/elsewhere', 'https://api.example.com/elsewhere'],
		['https://me:word@api.example.com/elsewhere#part', 'https://api.example.com/elsewhere'],
	])('of a GET to %s is followed, since that is the same origin', async (location, address) => {
		for (const statusCode of STATUSES) {
			const { end, asked, queries } = await follow('GET', moved(statusCode, location));
			expect(end).toMatchObject({ statusCode: 200 });
			expect(asked).toEqual([ADDRESS, address]);
			// What a redirect leads to has the query it needs.
			expect(queries).toEqual([{ limit: 5 }, undefined]);
		}
	});

	it.each([
		['https://new.example.com/v2/public/items?a=1', 'https://new.example.com'],
		['http://api.example.com/data/v2/public/items', 'http://api.example.com'],
		['https://api.example.com:8443/', 'https://api.example.com:8443'],
		['https://me:word@new.example.com/?key=1#part', 'https://new.example.com'],
		['//new.example.com/x', 'https://new.example.com'],
		['/elsewhere', undefined],
		[undefined, undefined],
		['', undefined],
		['https://', undefined],
		['mailto:someone@example.com', undefined],
		[['https://new.example.com'], undefined],
	])('of a POST to %j is never followed; it is said where it leads', async (location, origin) => {
		for (const statusCode of STATUSES) {
			const { end, asked } = await follow('POST', moved(statusCode, location));
			expect(end).toMatchObject({ kind: 'redirected', facts: { statusCode } });
			expect((end as ServiceFailure).facts.redirectedTo).toBe(origin);
			expect(asked).toEqual([ADDRESS]);
		}
	});

	it('of a GET to another origin is not followed, from wherever it comes', async () => {
		const { end, asked } = await follow('GET', (address) => ({
			statusCode: 302,
			location: address === ADDRESS ? '/second' : 'http://api.example.com/second',
		}));
		expect(end).toMatchObject({ facts: { redirectedTo: 'http://api.example.com' } });
		expect(asked).toEqual([ADDRESS, 'https://api.example.com/second']);
	});

	it('is followed five times and no more', async () => {
		const ends = (after: number) => async () =>
			await follow('GET', (address) => {
				const times = Number(new URL(address).searchParams.get('times'));
				if (times === after) return { statusCode: 200 };
				return { statusCode: 307, location: `?times=${times + 1}` };
			});
		expect((await ends(5)()).end).toMatchObject({ statusCode: 200 });
		const { end, asked } = await ends(6)();
		expect(end).toMatchObject({ kind: 'redirected' });
		expect((end as ServiceFailure).facts.redirectedTo).toBeUndefined();
		expect(asked).toHaveLength(6);
	});
});
