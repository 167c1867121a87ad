import { describe, expect, it } from 'vitest';

import type { ApiRequest } from '../../../../nodes/client/api.ts';
import { operationKind, type Operation } from '../../../../nodes/WorkspaceData/operation.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import { panel, problemOf, rowOf } from '../parameters-support.mts';
import {
	prepareCall,
	readCallParameters,
} from '../../../../nodes/WorkspaceData/call/parameters.ts';

/** An operation on one record, as a row could have it. */
const archive: Operation = {
	...rowOf('company', 'enrich'),
	operation: 'archive',
	endpoints: { v2: { method: 'DELETE', path: '/v2/public/companies/{id}' } },
	input: 'nothing',
	repeat: 'acts',
};

/** The request that an operation makes for these values of the panel. */
function requestOf(operation: Operation, values: Record<string, unknown>): ApiRequest {
	const session = { credential: { apiVersion: 'v2' } };
	const context = {};
	const task = {
		context,
		operation,
		session,
		get: panel(values),
		item: { json: {} },
		itemIndex: 0,
	};
	return prepareCall(task as unknown as Task).request;
}

describe('an operation on one record', () => {
	it('is a call, so that many items run at once', () => {
		expect(operationKind(archive)).toBe('call');
	});

	it.each([
		['cmp_1', 'cmp_1'],
		[' 42 ', '42'],
		[42, '42'],
		['a/b?c#d', 'a%2Fb%3Fc%23d'],
		['$&', '%24%26'],
	])('puts the ID %j into the path, without a body', (recordId, inPath) => {
		expect(requestOf(archive, { recordId })).toEqual({
			method: 'DELETE',
			path: `/v2/public/companies/${inPath}`,
			risk: 'acts',
		});
	});

	it('takes data as well where the row says so', () => {
		const update: Operation = { ...archive, input: 'data' };
		const values = { recordId: 'cmp_1', dataToSend: 'json', jsonBody: '{"name":"A"}' };
		expect(requestOf(update, values)).toMatchObject({
			path: '/v2/public/companies/cmp_1',
			bodyText: '{"name":"A"}',
		});
	});

	it.each([
		['', /is empty/],
		['  ', /is empty/],
		[undefined, /is empty/],
		['..', /dots/],
		['.', /dots/],
		[2 ** 60, /lost digits/],
		[{}, /must be text/],
	])('refuses the ID %j', (recordId, message) => {
		const read = () => readCallParameters(panel({ recordId }), archive, {});
		expect(problemOf(read).message).toMatch(message);
	});
});
