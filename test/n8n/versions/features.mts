import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { fieldsOf, itemsOf } from '../rest.mts';
import { hintOf } from '../sync-workflows.mts';
import { chain, dataNode, enrichNode, manualTrigger, n8nNode } from '../workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../workflows.mts';
import { nodeName, orders, runFeature, workflowOf } from './feature.mts';
import type { Feature, Surroundings } from './feature.mts';

const orderList = { resource: 'order', operation: 'getAll' };
const everyOrder = { ...orderList, returnAll: true };
const oneOfEach = { resource: 'record', operation: 'query', objectType: 'company', limit: 1 };

const waiting = workflowOf('Cancel', {
	...orderList,
	options: { pagination: { values: { pageSize: 10 } } },
});

/**
 * Returns a feature in which the second page of a list fails. The node must return the records of the first page at its
 * first output, and the error at the output with this index.
 */
function brokenList(name: string, onError: WorkflowNode['onError'], output: number): Feature {
	return runFeature(
		name,
		workflowOf(
			name,
			{
				...everyOrder,
				options: {
					pagination: { values: { pageSize: 500 } },
					requests: { values: { retryFor: 0 } },
				},
			},
			{ onError },
		),
		(execution) => {
			expect(fieldsOf(execution).filter((json) => 'id' in json)).toHaveLength(500);
			const errors = itemsOf(execution, nodeName, output).filter(({ json }) => !('id' in json));
			const message = expect.stringContaining('500 records');
			const details = expect.objectContaining({ recordsRead: 500 });
			expect(errors).toMatchObject([{ json: { error: expect.any(String), message, details } }]);
		},
		(sandbox) => sandbox.addFault({ skip: 1, times: Infinity, status: 503 }),
	);
}

/**
 * Returns a workflow with three calls, of which the second fails. A node at the error output reads parts of the error
 * with expressions.
 */
function brokenCall(): RunnableWorkflow {
	const list = [{ domain: 'a.example' }, { note: 'no subject' }, { domain: 'c.example' }];
	const jsonOutput = JSON.stringify({ list });
	const value = '={{ $json.details.httpCode }} {{ $json.message }} {{ $("Items").item.json.note }}';
	const assignments = { assignments: [{ id: 'seen', name: 'seen', type: 'string', value }] };
	const workflow = chain('Error output', [
		manualTrigger(),
		// Do not make the items in a Code node: in n8n 1.123, an expression such as `$("Items").item` does not find
		// items of a Code node.
		n8nNode('List', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
		n8nNode('Items', 'splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
		enrichNode({}, { onError: 'continueErrorOutput' }),
		n8nNode('Handle', 'set', 3.4, { assignments, options: {} }),
	]);
	const toHandle = [{ node: 'Handle', type: 'main', index: 0 }];
	workflow.connections[nodeName] = { main: [[], toHandle] };
	return workflow;
}

/** Requests the entries of a list in the node's panel, as the editor does. */
async function choicesOf<Answer>(
	{ client, credentialId }: Surroundings,
	route: string,
	methodName: string,
): Promise<Answer> {
	const objectType = { __rl: true, mode: 'name', value: 'order' };
	return await client.request('POST', `/dynamic-node-parameters/${route}`, {
		path: 'parameters.objectType',
		methodName,
		nodeTypeAndVersion: { name: 'n8n-nodes-workspace-data.workspaceData', version: 1 },
		currentNodeParameters: { ...oneOfEach, objectType },
		credentials: { workspaceDataApi: { id: credentialId, name: 'sandbox' } },
	});
}

/** Returns rows of the parameter Fields to Send, as the editor stores them. */
const sendFields = (...rows: Array<[name: string, type: string, value: unknown]>) => ({
	assignments: rows.map(([name, type, value]) => ({ id: name, name, type, value })),
});

/** Features that are tested without the editor. */
export const features: Feature[] = [
	{
		name: 'Credential test: a good key passes, a refused one fails',
		attempt: async ({ client, sandbox, credentialId }) => {
			expect(await client.testCredential(credentialId)).toMatchObject({ status: 'OK' });
			sandbox.addFault({ status: 403 });
			expect(await client.testCredential(credentialId)).toMatchObject({ status: 'Error' });
		},
	},
	{
		name: 'Credential test: says what to do',
		mayDiffer: true,
		attempt: async ({ client, sandbox, credentialId }) => {
			sandbox.addFault({ status: 403 });
			const { message } = await client.testCredential(credentialId);
			if (message.includes('refuses this request (HTTP 403)')) return;
			throw new Error(`n8n's own words ("${message}")`);
		},
	},
	runFeature(
		'List: everything, over several pages',
		workflowOf('List', { ...everyOrder, options: { pagination: { values: { pageSize: 500 } } } }),
		(execution) =>
			expect(new Set(fieldsOf(execution).map(({ id }) => id))).toHaveProperty('size', orders),
	),
	runFeature(
		'Hint of Prospect: how many there are and how to ask for more',
		workflowOf('Prospect', {
			resource: 'company',
			operation: 'prospect',
			fields: sendFields(['limit', 'number', 5]),
		}),
		(execution) => expect(hintOf(execution, nodeName)).toContain('found 25 results and returned 5'),
		(sandbox) => sandbox.setQuirks({ prospectTotal: 25 }),
	),
	{
		name: 'Cancel in the middle of a wait',
		workflow: waiting,
		attempt: async ({ client, sandbox, start }) => {
			sandbox.addFault({ times: Infinity, status: 429, headers: { 'retry-after': '5' } });
			const executionId = await start(waiting);
			while (sandbox.requests.length === 0) await wait(20);
			await client.request('POST', `/executions/${executionId}/stop`);
			await wait(6_000);
			expect(sandbox.requests).toHaveLength(1);
			expect((await client.waitForExecution(executionId, 5_000)).status).toBe('canceled');
		},
	},
	brokenList('On Error "Continue": records kept, error after them', 'continueRegularOutput', 0),
	brokenList('On Error "Continue (using error output)"', 'continueErrorOutput', 1),
	runFeature(
		'Error output: paired with its input, details in expressions',
		brokenCall(),
		(execution) => {
			expect(fieldsOf(execution).map(({ domain }) => domain)).toEqual(['a.example', 'c.example']);
			const seen = /^422 .*Send at least one of id, domain and name.* no subject$/s;
			expect(fieldsOf(execution, 'Handle')).toEqual([{ seen: expect.stringMatching(seen) }]);
		},
	),
	runFeature(
		'CSV files: Records per File, CSV Format',
		workflowOf('CSV', {
			...everyOrder,
			outputAs: 'csv',
			csvFormat: 'excelDecimalComma',
			options: { recordsPerFile: 500, fields: ['id', 'number'] },
		}),
		async (execution, { client }) => {
			const lines: number[] = [];
			for (const { binary } of itemsOf(execution, nodeName)) {
				// Older versions of n8n store a file in the execution itself by default.
				const file = binary?.data as { id?: string; data?: string } | undefined;
				const text = file?.id
					? Buffer.from(await (await client.readFile(file.id)).arrayBuffer()).toString()
					: Buffer.from(file?.data ?? '', 'base64').toString();
				expect(text).toMatch(/^\uFEFFid;number\r\n/);
				lines.push(text.trimEnd().split('\n').length);
			}
			expect(lines).toEqual([501, 501, 201]);
		},
	),
	{
		name: 'Object Type and Fields: the lists to choose from',
		attempt: async (surroundings) => {
			const types = await choicesOf<{ results: { name: string }[] }>(
				surroundings,
				'resource-locator-results',
				'listObjectTypes',
			);
			const names = types.results.map(({ name }) => name);
			expect(names).toEqual(['Company', 'Deal', 'Item', 'Order']);
			const fields = await choicesOf<{ value: string }[]>(surroundings, 'options', 'getFields');
			expect(fields.map(({ value }) => value)).toContain('total_amount');
		},
	},
	runFeature(
		'Object Type from a list, Fields as several choices',
		workflowOf('Object Type', {
			...oneOfEach,
			objectType: { __rl: true, mode: 'list', value: 'order' },
			options: { fields: ['id', 'total_amount'] },
		}),
		(execution) =>
			expect(fieldsOf(execution).map((json) => Object.keys(json).sort())).toEqual([
				['id', 'total_amount'],
			]),
	),
	runFeature(
		'Object Type by name, by expression and as plain text',
		chain('Types', [
			manualTrigger(),
			...[{ __rl: true, mode: 'name', value: 'order' }, '={{ "order" }}', 'order'].map(
				(objectType, place) => dataNode({ ...oneOfEach, objectType }, { name: `Query ${place}` }),
			),
		]),
		(_execution, { sandbox }) =>
			expect(sandbox.requests).toMatchObject(Array(3).fill({ body: { object_type: 'order' } })),
	),
	runFeature(
		'Fields to Send: every type reaches the service as it is',
		workflowOf('Typed rows', {
			resource: 'company',
			operation: 'enrich',
			fields: sendFields(
				['domain', 'string', 'acme.example'],
				['employees', 'number', '250'],
				['active', 'boolean', true],
				['tags', 'array', '["a", 1]'],
				['address', 'object', '{ "city": "Berlin" }'],
				['computed', 'string', '={{ 40 + 2 }}'],
			),
		}),
		(_execution, { sandbox }) =>
			expect(sandbox.calls.enrich).toEqual([
				{
					...{ domain: 'acme.example', employees: 250, active: true, tags: ['a', 1] },
					address: { city: 'Berlin' },
					computed: 42,
				},
			]),
	),
];
