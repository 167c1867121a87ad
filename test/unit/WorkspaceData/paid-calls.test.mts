import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/shared/client/failures.ts';
import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import type { ServiceResponse } from '../../../nodes/shared/client/api.ts';
import { PaidCalls, isUnpaid } from '../../../nodes/WorkspaceData/paid-calls.ts';
import { rowOf, nodeRunOf } from './parameters-support.mts';

const ENRICH = rowOf('company', 'enrich');

/** Two input items with the same data. They share one call. */
const identical = [0, 3].map((index) => ({ index, key: 'same', isShared: true }));
/** The shared call is stored under the item indexes 0 and 3 and under the cache key 'same'. */
const known = [0, 3, 'same'];

const answered = async (): Promise<ServiceResponse> => ({ body: { id: 1 } });
const status = (statusCode: number, more = {}) =>
	new ServiceFailure('status', { statusCode, ...more });

it('finds a sent call by each item index and by its cache key, until the call is removed', async () => {
	const paidCalls = new PaidCalls();
	paidCalls.add(identical, answered());
	for (const one of known) expect(await paidCalls.find(one)).toEqual({ body: { id: 1 } });
	expect(paidCalls.find(1)).toBeUndefined();
	expect(paidCalls.sent).toBe(1);
	paidCalls.remove(identical);
	for (const one of known) expect(paidCalls.find(one)).toBeUndefined();
	expect(paidCalls.sent).toBe(0);
});

describe('isUnpaid', () => {
	it.each([
		['a broken connection', new ServiceFailure('connectionLost', { gaveUp: 'mayBeBilled' })],
		['HTTP 503 without Retry-After', status(503)],
		['a response with success: false', new ServiceFailure('unsuccessful')],
		['a stop while the call was in flight', new ServiceFailure('cancelled', { attempts: 1 })],
		['an unexpected error while the call was sent', new TypeError('x')],
	])('counts a call as possibly paid after %s', (_name, failure) => {
		expect(isUnpaid(failure)).toBe(false);
	});

	it.each([
		['a rejected API key', status(401, { attempts: 1 })],
		['an error about missing credit', status(402)],
		['an error about a missing permission', status(403)],
		['a rejected request', status(422)],
		['HTTP 404', status(404)],
		['HTTP 429', status(429, { gaveUp: 'waitUsed' })],
		['HTTP 503 with Retry-After', status(503, { retryAfterMs: 0 })],
		['a failed connection', new ServiceFailure('notSent')],
		['a connection that is not secure', new ServiceFailure('insecure')],
		['a request that n8n blocked', new ServiceFailure('blocked')],
		['a stop before the call was sent', new ServiceFailure('cancelled')],
	])('counts a call as unpaid after %s, so that another attempt can send it', (_name, failure) => {
		expect(isUnpaid(failure)).toBe(true);
	});
});

it.each([
	['a different node run', undefined],
	['a later attempt of an operation that costs nothing', 'safe'],
] as const)('does not reuse a sent call in %s', (_name, repeat) => {
	const operation: Operation = { ...ENRICH, ...(repeat && { repeat }) };
	const before = nodeRunOf({}, operation);
	before.paidCalls.add(identical, answered());
	const again = nodeRunOf({}, operation, repeat && before);
	expect(again.paidCalls.find(0)).toBeUndefined();
	expect(nodeRunOf({}, ENRICH, before).paidCalls.find(0)).toBeDefined();
});

describe('PaidCalls of executions that keep results', () => {
	const call = [{ index: 0, key: 'same', isShared: true }];
	/** Returns the paid calls of an execution that needs the calls with the keys `same` and `other`. */
	const execution = (): PaidCalls => {
		const paidCalls = new PaidCalls();
		paidCalls.share(['same', 'other']);
		return paidCalls;
	};

	it('finds calls of another execution that keeps results, until unshare() ends the sharing', () => {
		const response = answered();
		const [first, second] = [execution(), execution()];
		first.add(call, response);
		const third = execution();
		first.unshare();
		for (const one of [second, third]) {
			expect(one.findInOtherExecutions('same')).toBe(response);
			expect(one.findInOtherExecutions('other')).toBeUndefined();
			expect(one.find('same')).toBeUndefined();
			one.unshare();
			expect(one.findInOtherExecutions('same')).toBeUndefined();
		}
		const last = execution();
		expect(last.findInOtherExecutions('same')).toBeUndefined();
		last.unshare();
	});

	it('lets one execution send a call again after an unusable response, and shares the new response', () => {
		const [useless, useful] = [answered(), answered()];
		const all = [execution(), execution(), execution()];
		const [first, second, third] = all;
		first.add(call, useless);
		expect(second.findInOtherExecutions('same', useless)).toBeUndefined();
		second.add(call, useful);
		expect(third.findInOtherExecutions('same', useless)).toBe(useful);
		for (const one of all) one.unshare();
	});

	it('does not find the calls of an execution without Keep Results', () => {
		const keeping = execution();
		new PaidCalls().add(call, answered());
		expect(keeping.findInOtherExecutions('same')).toBeUndefined();
		keeping.unshare();
	});
});
