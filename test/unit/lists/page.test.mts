import { describe, expect, it } from 'vitest';

import { listRequest, type PageRequest } from '../../../nodes/lists/page.ts';

describe('the request for a page', () => {
	const additional = { archived: true };
	const requestOf = (method: 'GET' | 'POST', page: PageRequest, sortsByDate?: boolean) =>
		listRequest(
			{ endpoint: { method, path: '/p' }, objectType: 'deal', additional },
			page,
			sortsByDate,
		);

	it('of a list has its parameters in the address', () => {
		const query = { archived: true, limit: 5, sort: 'created_at' };
		expect(requestOf('GET', { limit: 5, sort: 'created_at' })).toEqual({
			...{ method: 'GET', path: '/p', query, risk: 'safe', reads: 'list' },
		});
	});

	it.each<[PageRequest, string | undefined, boolean | undefined]>([
		[{ limit: 5, sort: 'created_at' }, 'standard:created_at:asc', undefined],
		[{ limit: 5, cursor: 'c' }, undefined, undefined],
		[{ limit: 5, page: 2, sort: 'name' }, 'name', undefined],
		[{ limit: 5, page: 2, sort: 'created_at' }, 'standard:created_at:asc', true],
	])('of a query has them in its body (%j)', (page, sort, sortsByDate) => {
		const body = { object_type: 'deal', archived: true, ...page, ...(sort && { sort }) };
		expect(requestOf('POST', page, sortsByDate)).toStrictEqual({
			...{ method: 'POST', path: '/p', body, risk: 'safe', reads: 'list' },
		});
	});
});
