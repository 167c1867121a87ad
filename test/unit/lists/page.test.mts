import { describe, expect, it } from 'vitest';

import { listRequest, pageOf, recordKey, type PageRequest } from '../../../nodes/lists/page.ts';

describe('a record is known', () => {
	const keys = (text: string, sort?: string) => {
		const whole = `{"data":{"items":[${text}]},"meta":{"pagination":{}}}`;
		const page = pageOf({ body: JSON.parse(whole), text: whole }, 10);
		return page.envelope.data.items.map((_record, index) => recordKey(page, index, sort));
	};

	it.each([
		['its id alone', '{"id":"a","n":1},{"id":"a","n":2}', undefined, true],
		['another id', '{"id":"a"},{"id":"b"}', undefined, false],
		['a number for a text', '{"id":1},{"id":"1"}', undefined, false],
		[
			'the last digit of a large id',
			'{"id":9007199254740993},{"id":9007199254740992}',
			undefined,
			false,
		],
		['a date too', '{"id":"a","d":1},{"id":"a","d":2}', 'd', false],
		['all of it where it has no id', '{"n":1},{"n":2}', undefined, false],
		['all of it where its id is null', '{"id":null,"n":1},{"id":null,"n":1}', undefined, true],
	])('by %s', (_name, text, sort, isSame) => {
		const [one, other] = keys(text, sort);
		expect(one === other).toBe(isSame);
	});
});

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
