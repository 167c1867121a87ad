import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { WorkspaceData } from '../../../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { hasField } from '../../../../nodes/shared/panel/record-fields.ts';
import { WorkspaceDataTrigger } from '../../../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';

const KEY = 'fake-v2-full-access-key-0123456789';
const V2 = { baseUrl: 'https://api.example.com', apiVersion: 'v2', apiKey: KEY };
const V1 = { baseUrl: 'https://api.example.com', apiVersion: 'v1', accessToken: 'fake-v1-token' };

type Sent = Record<'method' | 'url', string> & { body?: string };

const RECORDS = [
	{ id: 'r-1', stage: 'won', owner: null },
	{ id: 'r-2', size: 12.5, stage: '', owner: { name: 'A', at: { city: 'Kiel' } } },
];

/** Returns n8n's context for the panel. The simulated service responds with this status and two records per page. */
function panel(
	statusCode: number | readonly number[],
	parameters: Record<string, unknown> = {},
	data: object = V2,
	records: readonly object[] = RECORDS,
) {
	const sent: Sent[] = [];
	const context = {
		getNode: () => ({ name: 'Node', type: 'test', id: '1' }),
		getCredentials: async () => data,
		getCurrentNodeParameter: (name: string) => parameters[name],
		logger: { info: () => undefined },
		helpers: {
			httpRequestWithAuthentication: async (_type: string, options: Sent) => {
				sent.push(options);
				const query = Object.fromEntries(new URL(options.url).searchParams);
				const page = Number(Object.assign({ page: 1 }, query, readBody(options)).page);
				const items = records.slice(page * 2 - 2, page * 2);
				const meta = { pagination: { page, page_size: 2, total: records.length } };
				const body = JSON.stringify({ success: true, data: { items }, meta });
				const [status] = [statusCode].flat().slice(sent.length - 1);
				return { statusCode: status ?? statusCode, headers: {}, body };
			},
		},
	};
	return { context: context as unknown as ILoadOptionsFunctions, sent };
}

const readBody = ({ body = '{}' }: Sent): object => JSON.parse(body) as object;

describe('the list of fields in the panel', () => {
	const ofNode = new WorkspaceData().methods.loadOptions.getFields;
	const ofTrigger = new WorkspaceDataTrigger().methods.loadOptions.getFields;
	const options = { additionalParameters: { values: [{ name: 'status', value: 'open' }] } };
	const found = [
		{ name: 'id', value: 'id' },
		{ name: 'stage', value: 'stage' },
		{ name: 'owner', value: 'owner' },
		{ name: 'size', value: 'size' },
		...['owner.name', 'owner.at', 'owner.at.city'].map((path) => ({ name: path, value: path })),
	];

	it('offers only fields that the option Fields can keep, including nested fields', () => {
		const record = { owner: { name: 'A', at: { city: 'Kiel' } } };
		const inner = found.filter(({ value }) => value.startsWith('owner.'));
		expect(inner).toHaveLength(3);
		for (const { value } of inner) expect(hasField(record, value), value).toBe(true);
	});

	it('offers each field in the records of Get Many once, in the order of appearance', async () => {
		const parameters = { resource: 'order', operation: 'getAll', options };
		const { context, sent } = panel(200, parameters);
		expect(await ofNode.call(context)).toEqual(found);
		expect(sent).toHaveLength(1);
		expect(sent[0].method).toBe('GET');
		expect(sent[0].url).toMatch(/orders.*status.*open/);
	});

	describe.each([
		['GET', { resource: 'order', operation: 'getAll' }],
		['POST', { resource: 'deal', operation: 'getAll' }],
	])('the fields of a list that is read by %s', (_method, parameters) => {
		const records = [...RECORDS, { id: 'r-3' }, { id: 'r-4' }, { id: 'r-5', segment: 'new' }];

		it('offers fields that only the newest records have', async () => {
			const { context, sent } = panel(200, parameters, V2, records);
			const newest = { name: 'segment', value: 'segment' };
			expect(await ofNode.call(context)).toEqual([...found, newest]);
			expect(sent).toHaveLength(2);
		});

		it('offers the fields of the oldest records if the newest records cannot be read', async () => {
			const { context, sent } = panel([200, 400], parameters, V2, records);
			expect(await ofNode.call(context)).toEqual(found);
			expect(sent).toHaveLength(2);
		});
	});

	it.each([
		[404, 'The service refused the request (HTTP 404)', 'Check the values of this node.'],
		[403, 'is not allowed to use the list of fields', 'Regular access'],
		[401, 'Key or token not recognized', 'In the credential, check that the API key'],
	])('explains HTTP %i in the error message, with advice', async (status, what, fix) => {
		const { context } = panel(status, { objectType: 'company' });
		const loading = ofTrigger.call(context);
		await expect(loading).rejects.toThrow(what);
		await expect(loading).rejects.toThrow(fix);
	});

	it('reports that the list of fields needs an API key, and sends no request with an access token', async () => {
		const { context, sent } = panel(200, {}, V1);
		await expect(ofTrigger.call(context)).rejects.toThrow(
			/The list of fields needs a developer API key/,
		);
		expect(sent).toEqual([]);
	});

	it.each([
		['Query', ofNode, { resource: 'record', operation: 'query' }],
		['Deal: Get Many', ofNode, { resource: 'deal', operation: 'getAll' }],
		['the trigger', ofTrigger, {}],
	])(
		'requests records of the object type that the user chose in %s',
		async (_name, getFields, chosen) => {
			const objectType = { __rl: true, mode: 'name', value: 'deal' };
			const { context, sent } = panel(200, { ...chosen, objectType, options });
			expect(await getFields.call(context)).toEqual(found);
			expect(readBody(sent[0])).toEqual({
				object_type: 'deal',
				limit: 20,
				sort: 'standard:updated_at:asc',
				status: 'open',
			});
		},
	);

	it('names Object Type in the error if its expression has no value', async () => {
		const { context } = panel(200, { objectType: null });
		await expect(ofTrigger.call(context)).rejects.toThrow(/'Object Type' is empty.*company/);
	});
});
