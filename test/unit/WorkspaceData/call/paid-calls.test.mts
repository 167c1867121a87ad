import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../../nodes/client/failures.ts';
import type { Operation } from '../../../../nodes/WorkspaceData/operation.ts';
import {
	LeftUnsent,
	paidCallsOf,
	PaidCalls,
	type PaidCall,
} from '../../../../nodes/WorkspaceData/call/paid-calls.ts';
import { rowOf } from '../parameters-support.mts';

const ENRICH = rowOf('company', 'enrich');

const executionData = (name = 'Enrich'): object => ({ node: { name }, data: {}, source: null });

/** A try of a run of the node "Enrich", as n8n starts it. */
function tryOf(data: unknown, json: unknown = {}, operation: Operation = ENRICH): PaidCalls {
	const context = {
		getExecuteData: () => data,
		getNode: () => ({ name: 'Enrich' }),
		getInputData: () => [{ json }],
	};
	return paidCallsOf(context as unknown as IExecuteFunctions, operation);
}

/** The service: what was sent to it, and its answers in order, the last one again and again. */
function service(...answers: unknown[]) {
	const sent: number[] = [];
	const call = (itemIndex: number, more: Partial<PaidCall> = {}): PaidCall => ({
		itemIndex,
		send: async () => {
			sent.push(itemIndex);
			const answer = answers.length > 1 ? answers.shift() : answers[0];
			if (answer instanceof Error) throw answer;
			return answer;
		},
		...more,
	});
	return { sent, call };
}

const lost = new ServiceFailure('connectionLost', { gaveUp: 'mayBeBilled' });
const refused = new ServiceFailure('status', { statusCode: 429, gaveUp: 'waitUsed' });

describe('another try of the same run', () => {
	it('knows what was answered, as a copy', async () => {
		const data = executionData();
		const { sent, call } = service({ id: 1 });
		const first = await tryOf(data).once(call(0));
		const again = tryOf(data);
		expect(await again.known(0)).toEqual({ id: 1 });
		expect(await again.known(0)).not.toBe(first);
		expect(again.known(1)).toBeUndefined();
		expect(sent).toEqual([0]);
	});

	it.each([
		['a connection that broke', lost],
		['HTTP 500', new ServiceFailure('status', { statusCode: 500, gaveUp: 'mayBeBilled' })],
		['HTTP 503 without Retry-After', new ServiceFailure('status', { statusCode: 503 })],
		['HTTP 422', new ServiceFailure('status', { statusCode: 422 })],
		['success: false', new ServiceFailure('unsuccessful')],
		['a mistake in this code while it was sent', new TypeError('x')],
	])('fails again without sending after %s', async (_name, failure) => {
		const data = executionData();
		const { call } = service(failure);
		await expect(tryOf(data).once(call(0))).rejects.toBe(failure);
		await expect(tryOf(data).known(0)).rejects.toBe(failure);
	});

	it.each([
		['HTTP 429', refused],
		['no connection', new ServiceFailure('notSent')],
		[
			'HTTP 503 with Retry-After',
			new ServiceFailure('status', { statusCode: 503, retryAfterMs: 0 }),
		],
	])('sends again after %s', async (_name, failure) => {
		const data = executionData();
		const { sent, call } = service(failure, { id: 1 });
		await expect(tryOf(data).once(call(0))).rejects.toBe(failure);
		expect(tryOf(data).known(0)).toBeUndefined();
		expect(await tryOf(data).once(call(0))).toEqual({ id: 1 });
		expect(sent).toEqual([0, 0]);
	});

	it('shares answers with items of the same content that no try had reached', async () => {
		const data = executionData();
		const { sent, call } = service({ id: 1 }, lost);
		const content = ['POST', '/v2/enrich', { domain: 'a' }];
		await tryOf(data).once(call(0, { content }));
		await expect(tryOf(data).once(call(1, { content: ['other'] }))).rejects.toBe(lost);
		const again = tryOf(data);
		expect(await again.once(call(2, { content }))).toEqual({ id: 1 });
		await expect(again.once(call(3, { content: ['other'] }))).rejects.toBe(lost);
		expect(sent).toEqual([0, 1]);
	});
});

describe('nothing is remembered', () => {
	it.each([
		['another run of the node', executionData(), executionData()],
		['a version of n8n that gives no data', undefined, undefined],
	])('for %s', async (_name, data, otherData) => {
		const { call } = service({ id: 1 });
		await tryOf(data).once(call(0));
		expect(tryOf(otherData).known(0)).toBeUndefined();
	});

	it('for a version of n8n without the function', () => {
		const context = { getNode: () => ({ name: 'Enrich' }), getInputData: () => [] };
		const calls = paidCallsOf(context as unknown as IExecuteFunctions, ENRICH);
		expect(calls.known(0)).toBeUndefined();
	});

	it('for an operation that costs nothing', async () => {
		const data = executionData();
		const { call } = service({ id: 1 });
		const safe: Operation = { ...ENRICH, repeat: 'safe' };
		await tryOf(data, {}, safe).once(call(0));
		expect(tryOf(data, {}, safe).known(0)).toBeUndefined();
	});
});

describe('a tool that gets the data of its agent', () => {
	it('knows the tries of one call, and no other call of the agent', async () => {
		const agent = executionData('AI Agent');
		const question = { domain: 'a.example' };
		const { sent, call } = service({ id: 1 }, { id: 2 });
		await tryOf(agent, question).once(call(0));
		expect(await tryOf(agent, question).known(0)).toEqual({ id: 1 });
		expect(tryOf(agent, { domain: 'a.example' }).known(0)).toBeUndefined();
		expect(tryOf(agent, 'text').known(0)).toBeUndefined();
		expect(sent).toEqual([0]);
	});
});

describe('Max Calls', () => {
	it('counts over all tries, and not what was surely not taken', async () => {
		const data = executionData();
		const { sent, call } = service(refused, { id: 1 });
		const limited = (index: number) => call(index, { maxCalls: 2 });
		await expect(tryOf(data).once(limited(0))).rejects.toBe(refused);
		await tryOf(data).once(limited(0));
		await tryOf(data).once(limited(1));
		const last = tryOf(data);
		await last.known(0);
		await expect(last.once(limited(2))).rejects.toThrow(LeftUnsent);
		await expect(last.once(limited(3))).rejects.toThrow(LeftUnsent);
		expect(last.left).toEqual([2, 3]);
		expect(sent).toEqual([0, 0, 1]);
	});

	it('leaves out shared calls', async () => {
		const { sent, call } = service({ id: 1 });
		const calls = tryOf(executionData());
		const content = ['a'];
		await calls.once(call(0, { content, maxCalls: 1 }));
		await calls.once(call(1, { content, maxCalls: 1 }));
		await expect(calls.once(call(2, { content: ['b'], maxCalls: 1 }))).rejects.toThrow(LeftUnsent);
		expect(sent).toEqual([0]);
	});

	it('says how many items are left, and how to keep what was paid for', async () => {
		const calls = new PaidCalls();
		const { call } = service({ id: 1 });
		await calls.once(call(0, { maxCalls: 1 }));
		await calls.once(call(1, { maxCalls: 1 })).catch(() => undefined);
		expect(calls.leftProblem(true)).toMatchObject({
			message: 'Max Calls (1) is reached, and 1 item is left',
			description:
				'Nothing was sent for it. To send more, raise Max Calls in this node or remove it.',
		});
		await calls.once(call(2, { maxCalls: 1 })).catch(() => undefined);
		const problem = calls.leftProblem(false);
		expect(problem.message).toBe('Max Calls (1) is reached, and 2 items are left');
		expect(problem.description).toContain('set On Error to Continue');
	});
});

describe('what was spent', () => {
	it('is told by how each item came to its outcome', async () => {
		const data = executionData();
		const { call } = service({ id: 1 }, { id: 2 }, refused, { id: 3 });
		await tryOf(data).once(call(0));
		const calls = tryOf(data);
		await calls.known(0);
		await calls.once(call(1, { content: ['a'] }));
		await calls.once(call(2, { content: ['a'] }));
		await calls.once(call(3)).catch(() => undefined);
		await calls.once(call(4, { maxCalls: 2 })).catch(() => undefined);
		expect(calls.hint(6)).toBe(
			'2 calls were sent, which may be billed, 1 of them in earlier tries. 1 item was answered from an earlier try, without a new call. 1 item was answered with the call of an identical item. 1 item was not taken by the service. 1 item was refused before sending. 1 item was left unsent because of Max Calls.',
		);
	});

	it('is short where nothing else happened', async () => {
		const calls = new PaidCalls();
		const { call } = service({ id: 1 });
		await calls.once(call(0));
		expect(calls.hint(1)).toBe('1 call was sent, which may be billed.');
	});
});
