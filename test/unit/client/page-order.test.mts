import { describe, expect, it } from 'vitest';

import {
	follows,
	listRequest,
	type FetchedPage,
	type PageRequest,
} from '../../../nodes/client/pages.ts';

const pageOf = (...items: unknown[]) => ({ envelope: { data: { items } } }) as FetchedPage;
const byId = (id: unknown) => ({ id, updated_at: 'the same' });
/** The id goes the other way. */
const byDate = (updated_at: string) => ({ id: updated_at.length, updated_at });
const day = (rest: string) => byDate(`2026-01-01T${rest}`);
const two = byId(2);

describe('a page follows the one before', () => {
	it.each([
		['ids that go up', byId(1), two, byId(3), true],
		['one id twice', byId(1), two, byId(2), false],
		['a smaller id', byId(0), two, byId(1), false],
		['a page before that goes down', byId(3), two, byId(4), false],
		['a page before of one record', two, two, byId(3), true],
		['a page before of one id', byId(2), two, byId(3), false],
		['texts of one length', byId('a'), byId('b'), byId('c'), true],
		['the same text', byId('a'), byId('b'), byId('b'), false],
		['texts of two lengths', byId('a'), byId('b'), byId('cc'), false],
		['a number, then a text', byId(1), two, byId('3'), false],
		['a text, then a number', byId('0'), byId('1'), two, false],
		['a list, then a text', byId(['a']), byId(['a']), byId('b'), false],
		['a text, then a list', byId('a'), byId('b'), byId(['c']), false],
		['dates at several lengths', day('00:00:00.000Z'), day('00:00:01.00Z'), day('00:00:02Z'), true],
		['an earlier date', day('00:00:00Z'), day('00:00:02Z'), day('00:00:01Z'), false],
		['microseconds', day('00:00:00Z'), day('00:00:01.000001Z'), day('00:00:01.000002Z'), true],
		['fewer of them', day('00:00:00Z'), day('00:00:01.000002Z'), day('00:00:01.000001Z'), false],
		['one date in two forms', day('00:00:00Z'), day('00:00:01.00Z'), day('00:00:01.000Z'), false],
		['zones', day('00:10:00-01:00'), day('00:30:00-01:00'), day('01:00:00+00:00'), false],
		['dates that cannot be read', byDate('a1'), byDate('a2'), byDate('a3'), true],
	])('by %s', (_name, start, last, first, expected) => {
		expect(follows(pageOf(first), [start, last], 'updated_at')).toBe(expected);
	});

	it('where it is empty', () => {
		expect(follows(pageOf(), [two, byId(1)], 'updated_at')).toBe(true);
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
