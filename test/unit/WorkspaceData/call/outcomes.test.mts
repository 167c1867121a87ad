import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import type { Operation } from '../../../../nodes/WorkspaceData/operation.ts';
import { outcomesOf, type CallOutcomes } from '../../../../nodes/WorkspaceData/call/outcomes.ts';
import { rowOf } from '../parameters-support.mts';

const ENRICH = rowOf('company', 'enrich');

const executionData = (name = 'Enrich'): object => ({ node: { name }, data: {}, source: null });

/** What a try of a run of the node "Enrich", as n8n starts it, knows of its calls. */
function tryOf(data: unknown, json: unknown = {}, operation: Operation = ENRICH): CallOutcomes {
	const context = {
		getExecuteData: () => data,
		getNode: () => ({ name: 'Enrich' }),
		getInputData: () => [{ json }],
	};
	return outcomesOf(context as unknown as IExecuteFunctions, operation);
}

const session = { key: 'payer' };
const first = [{ session, index: 0 }];
const twins = [0, 3].map((index) => ({ session, index, key: 'the same' }));

const answering = (answer: unknown) => async (): Promise<unknown> => answer;
const failing = (error: Error) => async (): Promise<unknown> => {
	throw error;
};

describe('another try of the same run', () => {
	it('knows nothing of what another key has paid for', async () => {
		const data = executionData();
		await tryOf(data).make(twins, answering({ id: 1 }));
		const other = { key: 'other payer' };
		expect(tryOf(data).known(other, 0)).toBeUndefined();
		expect(tryOf(data).known(other, 'the same')).toBeUndefined();
	});

	it('knows of all items that shared a call, and what others may share', async () => {
		const data = executionData();
		await tryOf(data).make(twins, answering({ id: 1 }));
		const again = tryOf(data);
		expect(await again.known(session, 3)).toEqual({ id: 1 });
		expect(await again.known(session, 'the same')).toEqual({ id: 1 });
		expect(again.known(session, 1)).toBeUndefined();
		expect([again.sent, again.answered]).toEqual([1, 1]);
	});

	it.each([
		['a connection that broke', new ServiceFailure('connectionLost', { gaveUp: 'mayBeBilled' })],
		['HTTP 500', new ServiceFailure('status', { statusCode: 500, gaveUp: 'mayBeBilled' })],
		['HTTP 503 without Retry-After', new ServiceFailure('status', { statusCode: 503 })],
		['HTTP 422', new ServiceFailure('status', { statusCode: 422 })],
		['success: false', new ServiceFailure('unsuccessful')],
		['a mistake in this code while it was sent', new TypeError('x')],
	])('fails again after %s', async (_name, failure) => {
		const data = executionData();
		await expect(tryOf(data).make(twins, failing(failure))).rejects.toBe(failure);
		await expect(tryOf(data).known(session, 3)).rejects.toBe(failure);
		await expect(tryOf(data).known(session, 'the same')).rejects.toBe(failure);
		expect([tryOf(data).sent, tryOf(data).answered]).toEqual([1, 0]);
	});

	it.each([
		['HTTP 429', new ServiceFailure('status', { statusCode: 429, gaveUp: 'waitUsed' })],
		['no connection', new ServiceFailure('notSent')],
		['no secure connection', new ServiceFailure('insecure')],
		['what n8n blocked', new ServiceFailure('blocked')],
		['a cancel while it waited for its turn', new ServiceFailure('cancelled')],
		[
			'HTTP 503 with Retry-After',
			new ServiceFailure('status', { statusCode: 503, retryAfterMs: 0 }),
		],
	])('forgets, and does not count, %s', async (_name, failure) => {
		const data = executionData();
		await expect(tryOf(data).make(twins, failing(failure))).rejects.toBe(failure);
		const again = tryOf(data);
		expect([again.known(session, 0), again.known(session, 3)]).toEqual([undefined, undefined]);
		expect([again.known(session, 'the same'), again.sent]).toEqual([undefined, 0]);
	});
});

describe('nothing is remembered', () => {
	it.each([
		['another run of the node', executionData(), executionData()],
		['a version of n8n that gives no data', undefined, undefined],
	])('for %s', async (_name, data, otherData) => {
		await tryOf(data).make(first, answering({ id: 1 }));
		expect(tryOf(otherData).known(session, 0)).toBeUndefined();
	});

	it('for a version of n8n without the function', () => {
		const context = { getNode: () => ({ name: 'Enrich' }), getInputData: () => [] };
		const calls = outcomesOf(context as unknown as IExecuteFunctions, ENRICH);
		expect(calls.known(session, 0)).toBeUndefined();
	});

	it('for an operation that costs nothing', async () => {
		const data = executionData();
		const safe: Operation = { ...ENRICH, repeat: 'safe' };
		await tryOf(data, {}, safe).make(first, answering({ id: 1 }));
		expect(tryOf(data, {}, safe).known(session, 0)).toBeUndefined();
	});
});

describe('a tool that gets the data of its agent', () => {
	it('knows the tries of one call, and no other call of the agent', async () => {
		const agent = executionData('AI Agent');
		const question = { domain: 'a.example' };
		await tryOf(agent, question).make(first, answering({ id: 1 }));
		expect(await tryOf(agent, question).known(session, 0)).toEqual({ id: 1 });
		expect(tryOf(agent, { domain: 'a.example' }).known(session, 0)).toBeUndefined();
		expect(tryOf(agent, 'text').known(session, 0)).toBeUndefined();
	});
});
