import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import type { ServiceResponse } from '../../../nodes/WorkspaceData/response-to-items.ts';
import { CallOutcomes, isUnpaid } from '../../../nodes/WorkspaceData/call-outcomes.ts';
import { rowOf, tryOf } from './parameters-support.mts';

const ENRICH = rowOf('company', 'enrich');

/** Two items that share a call. */
const identical = [0, 3].map((index) => ({ index, key: 'same', isShared: true }));
/** What they can be asked for by. */
const known = [0, 3, 'same'];

const answered = async (): Promise<ServiceResponse> => ({ body: { id: 1 } });
const status = (statusCode: number, more = {}) =>
	new ServiceFailure('status', { statusCode, ...more });

it('another try of the same run knows what came of a call by its items and its key, or nothing at all', async () => {
	const outcomes = new CallOutcomes();
	outcomes.note(identical, answered());
	for (const one of known) expect(await outcomes.of(one)).toEqual({ body: { id: 1 } });
	expect(outcomes.of(1)).toBeUndefined();
	expect(outcomes.sent).toBe(1);
	outcomes.forget(identical);
	for (const one of known) expect(outcomes.of(one)).toBeUndefined();
	expect(outcomes.sent).toBe(0);
});

describe('another try', () => {
	it.each([
		['a connection that broke', new ServiceFailure('connectionLost', { gaveUp: 'mayBeBilled' })],
		['HTTP 503 without Retry-After', status(503)],
		['success: false', new ServiceFailure('unsuccessful')],
		['a stop while it was under way', new ServiceFailure('cancelled', { attempts: 1 })],
		['a mistake in this code while it was sent', new TypeError('x')],
	])('sends nothing again after %s', (_name, failure) => {
		expect(isUnpaid(failure)).toBe(false);
	});

	it.each([
		['a refused key', status(401, { attempts: 1 })],
		['no credit', status(402)],
		['what a key is not allowed to', status(403)],
		['a refused request', status(422)],
		['nothing found', status(404)],
		['HTTP 429', status(429, { gaveUp: 'waitUsed' })],
		['HTTP 503, Retry-After', status(503, { retryAfterMs: 0 })],
		['no connection', new ServiceFailure('notSent')],
		['no secure connection', new ServiceFailure('insecure')],
		['what n8n blocked', new ServiceFailure('blocked')],
		['a stop while it waited for its turn', new ServiceFailure('cancelled')],
	])('sends again after %s, which was not paid for', (_name, failure) => {
		expect(isUnpaid(failure)).toBe(true);
	});
});

it.each([
	['another run of the node', undefined],
	['an operation that costs nothing', 'safe'],
] as const)('nothing is remembered for %s', (_name, repeat) => {
	const operation: Operation = { ...ENRICH, ...(repeat && { repeat }) };
	const before = tryOf({}, operation);
	before.outcomes.note(identical, answered());
	const again = tryOf({}, operation, repeat && before);
	expect(again.outcomes.of(0)).toBeUndefined();
	expect(tryOf({}, ENRICH, before).outcomes.of(0)).toBeDefined();
});
