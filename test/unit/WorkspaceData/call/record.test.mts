import { describe, expect, it } from 'vitest';

import { readCall } from '../../../../nodes/WorkspaceData/call/parameters.ts';
import type { Operation } from '../../../../nodes/WorkspaceData/operation-row.ts';
import { problemOf, taskOf } from '../parameters-support.mts';
import { ENRICH, jsonOf } from './read-call.mts';

/** An operation on one record, as a row could have it. */
const archive: Operation = {
	...ENRICH,
	sendsData: undefined,
	operation: 'archive',
	endpoints: { v2: { method: 'DELETE', path: '/v2/public/companies/{id}' } },
	kind: 'call',
	repeat: 'acts',
};

const requestOf = (operation: Operation, recordId: unknown, values = {}) =>
	readCall(taskOf({ recordId, ...values }, operation)).request;

describe('an operation on one record', () => {
	it.each([
		['cmp_1', 'cmp_1'],
		[' 42 ', '42'],
		[42, '42'],
		['a/b?c#d', 'a%2Fb%3Fc%23d'],
		['$&', '%24%26'],
	])('puts the ID %j into the path, without a body', (recordId, inPath) => {
		expect(requestOf(archive, recordId)).toEqual({
			method: 'DELETE',
			path: `/v2/public/companies/${inPath}`,
			risk: 'acts',
		});
	});

	it('is never left out because it was done before', () => {
		const { keeping } = readCall(
			taskOf({ recordId: 1, options: { cache: { values: { days: 1 } } } }, archive),
		);
		expect(keeping).toBeUndefined();
	});

	it('takes data as well where the row says so', () => {
		const update: Operation = { ...archive, sendsData: true };
		expect(requestOf(update, 'cmp_1', jsonOf('{"name":"A"}'))).toMatchObject({
			path: '/v2/public/companies/cmp_1',
			bodyText: '{"name":"A"}',
		});
	});

	it.each([
		['  ', /must be the ID/],
		[undefined, /must be the ID/],
		['..', /must be the ID/],
		['.', /must be the ID/],
		[2 ** 60, /"Record ID" is too large/],
		[{}, /'Record ID' must be text/],
	])('refuses the ID %j', (recordId, message) => {
		expect(problemOf(() => requestOf(archive, recordId)).message).toMatch(message);
	});
});
