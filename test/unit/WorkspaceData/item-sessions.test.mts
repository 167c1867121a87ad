import { NodeHelpers, type IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { WorkspaceDataApi } from '../../../credentials/WorkspaceDataApi.credentials.ts';
import { ItemSessions } from '../../../nodes/WorkspaceData/item-sessions.ts';

const A = 'fake-key-of-tenant-a-0123456789';
const B = 'fake-key-of-tenant-b-0123456789';
const v2 = { baseUrl: 'https://api.example.com', apiVersion: 'v2', apiKey: A };

/** Sessions of an execution whose items resolve the credential to such keys; `read` says for which items it was. */
function sessionsOf(keys: string[], more: object = {}) {
	const read: number[] = [];
	const context = {
		getCredentials: async (_type: string, itemIndex: number) => {
			read.push(itemIndex);
			return await Promise.resolve({ ...v2, apiKey: keys[itemIndex], ...more });
		},
		getNode: () => ({}),
		getInputData: () => keys,
	} as unknown as IExecuteFunctions;
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
