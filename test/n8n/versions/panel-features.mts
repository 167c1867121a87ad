import { itemsOf } from '../rest.mts';
import { chain, dataNode, manualTrigger } from '../workflows.mts';
import {
	differenceOf,
	nodeName,
	orders,
	runFeature,
	workflowOf,
	type Feature,
	type Surroundings,
} from './feature.mts';

const orderList = { resource: 'order', operation: 'getAll' };
const oneOfEach = { resource: 'record', operation: 'query', limit: 1 };

/** A row of Fields to Send, as the panel stores it. */
function field(name: string, type: string, value: unknown): Record<string, unknown> {
	return { id: name, name, type, value };
}

function enrichment(name: string, assignments: Record<string, unknown>[]) {
	return workflowOf(name, { resource: 'company', operation: 'enrich', fields: { assignments } });
}

const refused = enrichment('Bad number', [field('employees', 'number', 'many')]);
const additionalParameters = { values: [{ name: 'status', value: 'open' }] };

/** Asks n8n for what a list of the panel offers, as the editor does. */
async function choicesOf<Answer>(
	{ client, credentialId }: Surroundings,
	route: string,
	methodName: string,
): Promise<Answer> {
	return await client.request('POST', `/dynamic-node-parameters/${route}`, {
		path: 'parameters.objectType',
		methodName,
		nodeTypeAndVersion: { name: 'n8n-nodes-workspace-data.workspaceData', version: 1 },
		currentNodeParameters: {
			...oneOfEach,
			objectType: { __rl: true, mode: 'name', value: 'order' },
		},
		credentials: { workspaceDataApi: { id: credentialId, name: 'sandbox' } },
	});
}

/** What the panel asks for in ways that came to n8n over the years. */
export const panelFeatures: Feature[] = [
	{
		name: 'Object Type and Fields: the lists to choose from',
		attempt: async (surroundings) => {
			const types = await choicesOf<{ results: { name: string }[] }>(
				surroundings,
				'resource-locator-results',
				'listObjectTypes',
			);
			const fields = await choicesOf<{ value: string }[]>(surroundings, 'options', 'getFields');
			const names = types.results.map(({ name }) => name);
			return fields.some(({ value }) => value === 'total_amount')
				? differenceOf(names, ['Company', 'Deal', 'Item', 'Order'])
				: 'no fields of a sample record';
		},
	},
	runFeature(
		'Object Type from a list, Fields as several choices',
		workflowOf('Object Type', {
			resource: 'record',
			operation: 'query',
			objectType: { __rl: true, mode: 'list', value: 'order' },
			returnAll: true,
			options: { fields: ['total_amount'] },
		}),
		(execution) => {
			const records = itemsOf(execution, nodeName).map(({ json }) => Object.keys(json).length);
			return records.length === orders && Math.max(...records) === 2
				? undefined
				: `${records.length} records of ${Math.max(...records)} fields`;
		},
	),
	runFeature(
		'Object Type by name, by expression and as plain text',
		chain('Types', [
			manualTrigger(),
			...[{ __rl: true, mode: 'name', value: 'order' }, '={{ "order" }}', 'order'].map(
				(objectType, place) => dataNode({ ...oneOfEach, objectType }, { name: `Query ${place}` }),
			),
		]),
		(_execution, { sandbox }) => {
			const asked = sandbox.requests.map(
				({ body }) => (body as { object_type: string }).object_type,
			);
			return differenceOf(asked, ['order', 'order', 'order']);
		},
	),
	runFeature(
		'Fields to Send: every type reaches the service as it is',
		enrichment('Typed rows', [
			field('domain', 'string', 'acme.example'),
			field('employees', 'number', '250'),
			field('active', 'boolean', true),
			field('tags', 'array', '["a", 1]'),
			field('address', 'object', '{ "city": "Berlin" }'),
			field('computed', 'string', '={{ 40 + 2 }}'),
		]),
		(_execution, { sandbox }) =>
			differenceOf(sandbox.calls.enrich, [
				{
					domain: 'acme.example',
					employees: 250,
					active: true,
					tags: ['a', 1],
					address: { city: 'Berlin' },
					computed: 42,
				},
			]),
	),
	{
		name: 'Fields to Send: a number that is none is refused by name, nothing sent',
		workflow: refused,
		attempt: async ({ run, sandbox }) => {
			const { error } = await run(refused);
			if (sandbox.requests.length > 0) return 'it is sent';
			return error?.message.includes('employees') ? undefined : String(error?.message);
		},
	},
	runFeature(
		'Options: those of the other pagination are not used',
		workflowOf('Siblings', {
			...orderList,
			limit: 100,
			options: { pagination: 'page', page: 2, pageSize: 100, startCursor: 'left over' },
		}),
		(_execution, { sandbox }) =>
			differenceOf(
				sandbox.requests.map(({ query }) => query),
				[{ limit: '100', page: '2' }],
			),
	),
	runFeature(
		'Order: Newest First',
		workflowOf('Newest', { ...orderList, limit: 30, options: { order: 'newestFirst' } }),
		(execution, { sandbox }) => {
			const dates = itemsOf(execution, nodeName).map(({ json }) => String(json.updated_at));
			const newest = [...sandbox.records('order')].map(({ updated_at }) => String(updated_at));
			const expected = newest.toSorted().toReversed().slice(0, 30);
			return dates.join() === expected.join() ? undefined : `dates ${dates.join()}`;
		},
	),
	runFeature(
		'Additional Parameters: in the address of a list, in the body of Query',
		chain('Additional', [
			manualTrigger(),
			dataNode({ ...orderList, limit: 1, options: { additionalParameters } }, { name: 'List' }),
			dataNode({ ...oneOfEach, objectType: 'order', options: { additionalParameters } }),
		]),
		(_execution, { sandbox }) =>
			differenceOf(
				sandbox.requests.map(({ query, body }) => ({ ...query, ...(body as object) })),
				[
					{ limit: '1', sort: 'updated_at', status: 'open' },
					{ object_type: 'order', limit: 1, sort: 'standard:updated_at:asc', status: 'open' },
				],
			),
		(sandbox) => sandbox.setUnkind({ furtherParameters: ['status'] }),
	),
	runFeature(
		'Output: Whole Response',
		workflowOf('Response', {
			resource: 'workspace',
			operation: 'whoAmI',
			options: { output: 'response' },
		}),
		(execution) =>
			itemsOf(execution, nodeName)[0]?.json.success === true ? undefined : 'no envelope',
	),
];
