import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import { CallOutcomes } from '../../../nodes/WorkspaceData/call-outcomes.ts';
import type { ItemCall } from '../../../nodes/WorkspaceData/call/parameters.ts';
import { rowOf, runOf } from './parameters-support.mts';

const ENRICH = rowOf('company', 'enrich');

const session = { owner: 'payer' };
/** Two items that share a call. */
const twins = [0, 3].map((index) => ({
	session,
	index,
	key: 'same',
	isShared: true,
})) as ItemCall[];
const [first, twin] = twins;

const answering = async (): Promise<unknown> => ({ id: 1 });
const failing = (error: Error) => async (): Promise<unknown> => {
	throw error;
};

describe('another try of the same run', () => {
	it('knows of all items that shared a call, also with another key, and what others may share', async () => {
		const outcomes = new CallOutcomes();
		await outcomes.make(twins, answering);
		for (const known of [...twins, { session: { owner: 'other payer' }, index: 0 }])
			expect(await outcomes.ofItem(known)).toEqual({ id: 1 });
		expect(await outcomes.ofCall('same')).toEqual({ id: 1 });
		expect(outcomes.ofItem({ session, index: 1 })).toBeUndefined();
		expect([outcomes.sent, outcomes.answered]).toEqual([1, 1]);
	});

	it.each([
		['a connection that broke', new ServiceFailure('connectionLost', { gaveUp: 'mayBeBilled' })],
		['HTTP 503 without Retry-After', new ServiceFailure('status', { statusCode: 503 })],
		['success: false', new ServiceFailure('unsuccessful')],
		['a mistake in this code while it was sent', new TypeError('x')],
	])('fails again after %s', async (_name, failure) => {
		const outcomes = new CallOutcomes();
		await expect(outcomes.make(twins, failing(failure))).rejects.toBe(failure);
		await expect(outcomes.ofItem(twin)).rejects.toBe(failure);
		await expect(outcomes.ofCall('same')).rejects.toBe(failure);
		expect([outcomes.sent, outcomes.answered]).toEqual([1, 0]);
	});

	it('fails again with a key that was refused, and sends with another one', async () => {
		const outcomes = new CallOutcomes();
		const failure = new ServiceFailure('status', { statusCode: 401 });
		await expect(outcomes.make(twins, failing(failure))).rejects.toBe(failure);
		await expect(outcomes.ofItem(first)).rejects.toBe(failure);
		expect(outcomes.ofItem({ session: { owner: 'other payer' }, index: 0 })).toBeUndefined();
	});

	it.each([
		['HTTP 429', new ServiceFailure('status', { statusCode: 429, gaveUp: 'waitUsed' })],
		['HTTP 503, Retry-After', new ServiceFailure('status', { statusCode: 503, retryAfterMs: 0 })],
		['no connection', new ServiceFailure('notSent')],
		['no secure connection', new ServiceFailure('insecure')],
		['what n8n blocked', new ServiceFailure('blocked')],
		['a cancel while it waited for its turn', new ServiceFailure('cancelled')],
	])('forgets, and does not count, %s', async (_name, failure) => {
		const outcomes = new CallOutcomes();
		await expect(outcomes.make(twins, failing(failure))).rejects.toBe(failure);
		for (const known of twins) expect(outcomes.ofItem(known)).toBeUndefined();
		expect(outcomes.ofCall('same')).toBeUndefined();
		expect(outcomes.sent).toBe(0);
	});
});

it.each([
	['another run of the node', undefined],
	['an operation that costs nothing', 'safe'],
] as const)('nothing is remembered for %s', async (_name, repeat) => {
	const operation: Operation = { ...ENRICH, ...(repeat && { repeat }) };
	const before = runOf({}, operation);
	await before.outcomes.make(twins, answering);
	const again = runOf({}, operation, repeat && before);
	expect(again.outcomes.ofItem(first)).toBeUndefined();
	expect(runOf({}, ENRICH, before).outcomes.ofItem(first)).toBeDefined();
});
