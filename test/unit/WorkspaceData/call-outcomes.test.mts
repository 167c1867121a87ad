import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import type { CallOutcomes } from '../../../nodes/WorkspaceData/call-outcomes.ts';
import type { ItemCall } from '../../../nodes/WorkspaceData/call/parameters.ts';
import { memoryOf } from '../../../nodes/WorkspaceData/run-memory.ts';
import { rowOf } from './parameters-support.mts';

const ENRICH = rowOf('company', 'enrich');

const executionData = (name = 'Enrich'): object => ({ node: { name }, data: {}, source: null });

/** What a try of a run of the node "Enrich", as n8n starts it, knows of its calls. */
function tryOf(data: unknown, json: unknown = {}, operation = ENRICH): CallOutcomes {
	const context = {
		getExecuteData: () => data,
		getNode: () => ({ name: 'Enrich' }),
		getInputData: () => [{ json }],
	};
	return memoryOf(context as unknown as IExecuteFunctions).outcomesOf(operation);
}

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
		const data = executionData();
		await tryOf(data).make(twins, answering);
		const again = tryOf(data);
		for (const known of [...twins, { session: { owner: 'other payer' }, index: 0 }])
			expect(await again.ofItem(known)).toEqual({ id: 1 });
		expect(await again.ofCall('same')).toEqual({ id: 1 });
		expect(again.ofItem({ session, index: 1 })).toBeUndefined();
		expect([again.sent, again.answered]).toEqual([1, 1]);
	});

	it.each([
		['a connection that broke', new ServiceFailure('connectionLost', { gaveUp: 'mayBeBilled' })],
		['HTTP 503 without Retry-After', new ServiceFailure('status', { statusCode: 503 })],
		['success: false', new ServiceFailure('unsuccessful')],
		['a mistake in this code while it was sent', new TypeError('x')],
	])('fails again after %s', async (_name, failure) => {
		const data = executionData();
		await expect(tryOf(data).make(twins, failing(failure))).rejects.toBe(failure);
		await expect(tryOf(data).ofItem(twin)).rejects.toBe(failure);
		await expect(tryOf(data).ofCall('same')).rejects.toBe(failure);
		expect([tryOf(data).sent, tryOf(data).answered]).toEqual([1, 0]);
	});

	it('fails again with a key that was refused, and sends with another one', async () => {
		const data = executionData();
		const failure = new ServiceFailure('status', { statusCode: 401 });
		await expect(tryOf(data).make(twins, failing(failure))).rejects.toBe(failure);
		await expect(tryOf(data).ofItem(first)).rejects.toBe(failure);
		expect(tryOf(data).ofItem({ session: { owner: 'other payer' }, index: 0 })).toBeUndefined();
	});

	it.each([
		['HTTP 429', new ServiceFailure('status', { statusCode: 429, gaveUp: 'waitUsed' })],
		['HTTP 503, Retry-After', new ServiceFailure('status', { statusCode: 503, retryAfterMs: 0 })],
		['no connection', new ServiceFailure('notSent')],
		['no secure connection', new ServiceFailure('insecure')],
		['what n8n blocked', new ServiceFailure('blocked')],
		['a cancel while it waited for its turn', new ServiceFailure('cancelled')],
	])('forgets, and does not count, %s', async (_name, failure) => {
		const data = executionData();
		await expect(tryOf(data).make(twins, failing(failure))).rejects.toBe(failure);
		const again = tryOf(data);
		for (const known of twins) expect(again.ofItem(known)).toBeUndefined();
		expect(again.ofCall('same')).toBeUndefined();
		expect(again.sent).toBe(0);
	});
});

describe('nothing is remembered', () => {
	const data = executionData();

	it.each([
		['another run of the node', executionData(), executionData(), ENRICH],
		['a version of n8n that gives no data', undefined, undefined, ENRICH],
		['an operation that costs nothing', data, data, { ...ENRICH, repeat: 'safe' } as Operation],
	])('for %s', async (_name, one, other, operation) => {
		await tryOf(one, {}, operation).make(twins, answering);
		expect(tryOf(other, {}, operation).ofItem(first)).toBeUndefined();
	});
});

it('a tool that gets the data of its agent knows the tries of one call, and no other call', async () => {
	const agent = executionData('AI Agent');
	const question = { domain: 'a.example' };
	await tryOf(agent, question).make(twins, answering);
	expect(await tryOf(agent, question).ofItem(first)).toEqual({ id: 1 });
	expect(tryOf(agent, { domain: 'a.example' }).ofItem(first)).toBeUndefined();
	expect(tryOf(agent, 'text').ofItem(first)).toBeUndefined();
});
