import { NodeHelpers, type IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { WorkspaceDataApi } from '../../../credentials/WorkspaceDataApi.credentials.ts';
import { ServiceFailure } from '../../../nodes/shared/client/failures.ts';
import { dataOfAllAttempts, type NodeRun } from '../../../nodes/WorkspaceData/node-run.ts';
import { nodeRunOf } from './parameters-support.mts';

const A = 'fake-key-of-tenant-a-0123456789';
const B = 'fake-key-of-tenant-b-0123456789';
const v2 = { baseUrl: 'https://api.example.com', apiVersion: 'v2', apiKey: A };

/**
 * Returns a node run whose input items use these API keys. `read` lists the indexes of the items whose credential was
 * read.
 */
function sessionsOf(keys: string[], more: object = {}, before?: NodeRun) {
	const read: number[] = [];
	const getCredentials = async (_type: string, itemIndex: number) => {
		read.push(itemIndex);
		return await Promise.resolve({ ...v2, apiKey: keys[itemIndex], ...more });
	};
	const nodeRun = nodeRunOf({ getCredentials, getInputData: () => keys }, undefined, before);
	return { nodeRun, read };
}

describe('sessions of a node run', () => {
	it.each([
		[{ sameForAllItems: true }, [0], 1],
		[{ sameForAllItems: false }, [0, 1, 2], 2],
		[{}, [0, 1, 2], 2],
	])(
		'reads the credential for each of three items unless it is the same for all items (credential %j, items %j)',
		async (more, items, count) => {
			const { nodeRun, read } = sessionsOf([A, A, B], more);
			const all = [
				await nodeRun.sessionOf(0),
				await nodeRun.sessionOf(1),
				await nodeRun.sessionOf(2),
			];
			expect(new Set(all).size).toBe(count);
			expect(read).toEqual(items);
		},
	);

	it('reuses the rate limiter of an earlier Retry On Fail attempt, but does not continue a wait of that attempt', async () => {
		const rateLimiterOf = async ({ nodeRun }: { nodeRun: NodeRun }) =>
			(await nodeRun.sessionOf(0)).rateLimiter;
		const firstAttempt = sessionsOf([A]);
		const first = await rateLimiterOf(firstAttempt);
		const start = (atMs: number) => {
			const started = first.start(atMs, {});
			first.ended(started);
			return started;
		};
		const throttled = new ServiceFailure('status', { statusCode: 429 });
		for (let request = 0; request < 20; request++) first.accepted(start(request - 60_000));
		for (let request = 0; request < 2; request++) first.failed(start(-50_000), -50_000, throttled);
		first.wait(performance.now(), 60_000, 60_000);
		const second = await rateLimiterOf(sessionsOf([A], {}, firstAttempt.nodeRun));
		expect(second).toBe(first);
		const atMs = performance.now();
		expect([second.waitMs(atMs), second.waitedMs(atMs)]).toEqual([0, 0]);
		expect(await rateLimiterOf(sessionsOf([B], {}, firstAttempt.nodeRun))).not.toBe(first);
		expect(await rateLimiterOf(sessionsOf([A]))).not.toBe(first);
	});
});

it('hides API keys in log lines and in hints', async () => {
	const lines: string[] = [];
	const hints: string[] = [];
	const nodeRun = nodeRunOf({
		getCredentials: async () => v2,
		getInputData: () => [{ json: {} }],
		logger: { warn: (line: string) => lines.push(line) },
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
	});
	await nodeRun.sessionOf(0);
	nodeRun.warn(`No record has the field "${A}".`);
	const told = 'No record has the field "[hidden]".';
	expect([lines, hints]).toEqual([[`Workspace Data: ${told}`], [told]]);
});

describe('credential that n8n passes to a node', () => {
	const { properties } = new WorkspaceDataApi();
	const said = (data: Record<string, string>): unknown =>
		NodeHelpers.getNodeParameters(properties, data, true, false, null, null)?.sameForAllItems;
	const v1 = { baseUrl: v2.baseUrl, apiVersion: 'v1', accessToken: A };

	it('marks a credential without expressions as the same for all items (sameForAllItems)', () => {
		for (const data of [v2, v1, { ...v1, workspaceCode: 'a=b' }]) expect(said(data)).toBe(true);
	});

	it.each([
		[v2, 'baseUrl'],
		[v2, 'apiVersion'],
		[v2, 'apiKey'],
		[v1, 'accessToken'],
		[v1, 'workspaceCode'],
	])(
		'does not mark the credential %j as the same for all items if %s is an expression',
		(data, name) => {
			expect(said({ ...data, [name]: '={{ $json.it }}' })).toBeUndefined();
			expect(said({ ...data, [name]: '={{ $json.it }}', sameForAllItems: 'x' })).toBeUndefined();
		},
	);
});

describe('dataOfAllAttempts', () => {
	const executionData = (name = 'Enrich') => ({ node: { name } });
	const ofTry = (data: unknown, json: unknown = {}): object =>
		dataOfAllAttempts({
			getExecuteData: () => data,
			getNode: () => ({ name: 'Enrich' }),
			getInputData: () => [{ json }],
		} as unknown as IExecuteFunctions);

	it('returns the object that n8n passes to all attempts of one node run', () => {
		const data = executionData();
		expect(ofTry(data)).toBe(data);
		expect(ofTry(executionData())).not.toBe(data);
		expect(ofTry(undefined)).not.toBe(ofTry(undefined));
	});

	it('returns the arguments of the tool call if an AI agent calls the node as a tool', () => {
		const agent = executionData('AI Agent');
		const question = { domain: 'a.example' };
		expect(ofTry(agent, question)).toBe(question);
		expect(ofTry(agent, { domain: 'a.example' })).not.toBe(question);
		expect(ofTry(agent, 'text')).not.toBe(ofTry(agent, 'text'));
	});
});
