import { NodeHelpers, type IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { WorkspaceDataApi } from '../../../credentials/WorkspaceDataApi.credentials.ts';
import { ItemSessions } from '../../../nodes/WorkspaceData/item-sessions.ts';
import { memoryOf } from '../../../nodes/WorkspaceData/run-memory.ts';

const A = 'fake-key-of-tenant-a-0123456789';
const B = 'fake-key-of-tenant-b-0123456789';
const v2 = { baseUrl: 'https://api.example.com', apiVersion: 'v2', apiKey: A };

/** What n8n hands to all tries of one run of the node. */
const runData = () => ({ node: { name: 'Enrich' } });

/** Sessions of a try whose items resolve the credential to such keys; `read` says for which items it was. */
function sessionsOf(keys: string[], more: object = {}, run = runData()) {
	const read: number[] = [];
	const context = {
		getCredentials: async (_type: string, itemIndex: number) => {
			read.push(itemIndex);
			return await Promise.resolve({ ...v2, apiKey: keys[itemIndex], ...more });
		},
		getNode: () => run.node,
		getExecuteData: () => run,
		getInputData: () => keys,
	} as unknown as IExecuteFunctions;
	memoryOf(context).beginTry();
	return { sessions: new ItemSessions(context, 5), read };
}

describe('the sessions of an execution', () => {
	it.each([
		[{ sameForAllItems: true }, [0], 1],
		[{ sameForAllItems: false }, [0, 1, 2], 2],
		[{}, [0, 1, 2], 2],
	])('of a credential that says %j are read for the items %j', async (more, items, count) => {
		const { sessions, read } = sessionsOf([A, A, B], more);
		const all = [await sessions.of(0), await sessions.of(1), await sessions.of(2)];
		expect(new Set(all).size).toBe(count);
		expect(read).toEqual(items);
	});

	it('go on with the rate that an earlier try of the run has learned, and wait for nothing that it waited for', async () => {
		const run = runData();
		const rateLimiterOf = async (ofRun: object, key: string) =>
			(await sessionsOf([key], {}, ofRun as typeof run).sessions.of(0)).rateLimiter;
		const first = await rateLimiterOf(run, A);
		for (let request = 0; request < 20; request++) first.accepted(first.start(request - 60_000));
		first.refused(first.start(-50_000), performance.now() + 60_000, true);
		for (let request = 0; request < 100; request++) first.join();
		const second = await rateLimiterOf(run, A);
		expect(second).toBe(first);
		const atMs = performance.now();
		expect(second.waitMs(second.join(), atMs)).toBe(0);
		second.refused(second.start(atMs), atMs, false);
		expect(second.pauseMs(atMs), 'ms since the try began').toBeLessThan(1_000);
		expect(await rateLimiterOf(run, B)).not.toBe(first);
		expect(await rateLimiterOf(runData(), A)).not.toBe(first);
	});
});

describe('the credential, as n8n hands it to a node', () => {
	const { properties } = new WorkspaceDataApi();
	const said = (data: Record<string, string>): unknown =>
		NodeHelpers.getNodeParameters(properties, data, true, false, null, null)?.sameForAllItems;
	const v1 = { baseUrl: v2.baseUrl, apiVersion: 'v1', accessToken: A };

	it('says that nothing in it can differ', () => {
		for (const data of [v2, v1, { ...v1, workspaceCode: 'a=b' }]) expect(said(data)).toBe(true);
	});

	it.each([
		[v2, 'baseUrl'],
		[v2, 'apiVersion'],
		[v2, 'apiKey'],
		[v1, 'accessToken'],
		[v1, 'workspaceCode'],
	])('does not say so of %j where %s is an expression', (data, name) => {
		expect(said({ ...data, [name]: '={{ $json.it }}' })).toBeUndefined();
		expect(said({ ...data, [name]: '={{ $json.it }}', sameForAllItems: 'x' })).toBeUndefined();
	});
});
