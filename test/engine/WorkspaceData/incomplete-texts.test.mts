/**
 * Tests text that is incomplete because a part of its expression has no value, such as "https://undefined". The nodes
 * reject incomplete text in every parameter, before they send a request.
 */
import type { INodeType } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { WorkspaceData } from '../../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { NODE_TYPE } from '../harness/harness.mts';
import { jsonOf, useSandbox } from '../harness/support.mts';
import { companyTrigger } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 5, deals: 5, orders: 0, items: 0 });
const trigger = companyTrigger(bench);

const enrich = { resource: 'company', operation: 'enrich' };
const list = { resource: 'company', operation: 'getAll' };
const query = { resource: 'record', operation: 'query', objectType: 'deal' };
const changes = {
	resource: 'sync',
	operation: 'getChanges',
	progress: 'given',
	outputAs: 'batch',
};
const type = `${NODE_TYPE}Tool`;
const tool = { type, extraNodeTypes: { [type]: new WorkspaceData() as INodeType } };

const filters = (value: string) => ({
	options: { additionalParameters: { values: [{ name: 'website', value }] } },
});

const json = (jsonBody: string) => ({ ...enrich, dataToSend: 'json', jsonBody });
const assigned = (value: string) => [{ id: '1', name: 'website', type: 'string', value }];

/**
 * Parameters that can contain incomplete text. Each has the name that errors show, and a function that returns all
 * parameters of a node with this text.
 */
const places: Record<
	string,
	[where: string, parametersWith: (value: string) => Record<string, unknown>]
> = {
	'Fields to Send': [
		`"website" under 'Fields to Send'`,
		(value) => ({ ...enrich, fields: { assignments: assigned(value) } }),
	],
	'rows of a tool': [
		`"website" under 'Fields to Send'`,
		(value) => ({ ...enrich, fields: { values: [{ name: 'website', value }] } }),
	],
	JSON: [
		`"website" in 'JSON'`,
		(value) => json(`={ "website": "${value.slice(1)}", "name": null }`),
	],
	'Filters of a list': [`"website" under 'Filters'`, (value) => ({ ...list, ...filters(value) })],
	'Filters of Query': [`"website" under 'Filters'`, (value) => ({ ...query, ...filters(value) })],
	'Filters of Sync': [`"website" under 'Filters'`, (value) => ({ ...changes, ...filters(value) })],
	'File Name': ["'File Name'", (fileName) => ({ ...list, outputAs: 'csv', options: { fileName } })],
};

const joined = `={{ 'https://' + $json.website }}`;

test.each(Object.entries(places))(
	'rejects incomplete text in %s without sending a request',
	async (name, [where, parametersWith]) => {
		const more = name.includes('tool') ? tool : {};
		for (const value of [joined, '=https://{{ $json.website }}']) {
			for (const item of [{}, { website: null }, { website: '' }]) {
				const word = value === joined && item.website !== '' ? String(item.website) : '';
				const { status, error } = await bench.run(parametersWith(value), {
					...more,
					items: [item],
				});
				const [message] = error?.message.split('. Its') ?? [];
				expect(message).toBe(`${where} is incomplete: "https://${word}"`);
				expect(status).toBe('error');
			}
		}
		expect(bench.sandbox.requests).toEqual([]);
	},
);

test('rejects incomplete text in Filters of the trigger without sending a request', async () => {
	const poller = await trigger(filters(`={{ 'https://' + $vars.website }}`));
	await expect(poller.poll()).rejects.toThrow(
		`"website" under 'Filters' is incomplete: "https://undefined"`,
	);
	expect(bench.sandbox.requests).toEqual([]);
});

test.each([
	['another node', `={{ 'Note: ' + $('Items').item.json.website }}`],
	['the item', `={{ 'Note: ' + $json.website.trim() }}`],
	['the user', `={{ 'an undefined, null ' + typeof $json.website }}`],
])('sends the words undefined and null if they come from %s', async (_whose, value) => {
	const name = { id: '2', name: 'name', type: 'string', value: 'x' };
	const fields = { assignments: [name, ...assigned(value)] };
	const items = [{ website: 'undefined or null' }];
	await bench.run({ ...enrich, fields }, { items });
	expect(bench.sandbox.requests).toHaveLength(1);
	expect(JSON.stringify(bench.sandbox.requests[0].body)).toMatch(/undefined.*null/);
});

test('counts items with incomplete text as refused in a preview', async () => {
	const items = [{ website: 'a.example' }, {}, { website: 'b.example' }, {}];
	const run = await bench.succeed(
		{ ...enrich, fields: { assignments: assigned(joined) }, previewOnly: true },
		{ items, onError: 'continueRegularOutput' },
	);
	expect(jsonOf(run)).toMatchObject([
		{ wouldBeSent: 2, refused: 2, refusedItems: [{ count: 2, itemIndexes: [1, 3] }] },
	]);
});
