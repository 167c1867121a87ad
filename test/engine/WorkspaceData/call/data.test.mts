import { describe, expect, test } from 'vitest';
import { oneCasePerOperation } from '../../../samples.mts';
import { hintsOf, jsonOf, useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 5 });

const enrich = { resource: 'company', operation: 'enrich' };
const score = { resource: 'deal', operation: 'score' };
const prospect = { resource: 'company', operation: 'prospect' };
const fields = (...values: object[]) => ({ dataToSend: 'defineBelow', fields: { values } });
const json = (jsonBody: unknown) => ({ dataToSend: 'json', jsonBody });
const mapped = { dataToSend: 'autoMapInputData' };

describe('a call without data to send', () => {
	const field = (value: string) => fields({ name: 'domain', value });

	const isBlank = '[item 0] has no values to send';
	const isNothing = 'There is nothing to send';

	test.each<[string, Record<string, unknown>, string]>([
		['a field whose expression gives undefined', field('={{ $json.no }}'), isBlank],
		['a field whose expression gives null', field('={{ $json.none }}'), isBlank],
		['a field that was left empty', field(''), isBlank],
		['a field that contains only spaces', field('  '), isBlank],
		['an object without any value', field('={{ { b: undefined, c: [null] } }}'), isBlank],
		['an input item with only empty fields', mapped, isBlank],
		[
			'JSON with only empty fields',
			json('{ "domain": null, "name": " ", "more": { "tags": [" \\n"] } }'),
			isNothing,
		],
		[
			'JSON whose expression gives an object without any value',
			json('={{ { domain: $json.no } }}'),
			isBlank,
		],
	])('sends no request for %s', async (_name, parameters, message) => {
		for (const operation of [enrich, score, prospect]) {
			const items = [{ none: null, empty: ' ', tags: [' ', { a: '' }] }];
			const { error } = await bench.run({ ...operation, ...parameters }, { items });
			expect(error?.message).toBe(message);
			expect(error?.description).toContain(
				message === isBlank ? "n8n's Filter" : 'at least one field',
			);
			const ofFilters = 'To send the request without filters, remove all fields.';
			expect(error?.description?.includes(ofFilters)).toBe(operation === prospect);
		}
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test.each([
		['no fields', fields()],
		['an input item without fields', mapped],
		['an empty object in JSON', json('{}')],
		['an expression in JSON that gives an empty object', json('={{ {} }}')],
	])('sends Prospect without filters for %s', async (_name, parameters) => {
		await bench.succeed({ ...prospect, ...parameters }, { items: [{}] });
		expect(bench.sandbox.calls.prospect).toEqual([{}]);
	});
});

test('omits empty values of Fields to Send, but sends empty values of JSON and input items', async () => {
	const item = { domain: 'a.example', note: '', more: null };
	const names = [...Object.keys(item), 'missing'];
	const values = names.map((name) => ({ name, value: `={{ $json.${name} }}` }));
	await bench.run({ ...enrich, ...fields(...values) }, { items: [item] });
	await bench.run({ ...enrich, ...mapped }, { items: [item] });
	await bench.run(
		{ ...enrich, ...json('={{ { ...$json, missing: undefined } }}') },
		{ items: [item] },
	);
	await bench.run({ ...enrich, ...json(JSON.stringify(item)) });
	expect(bench.sandbox.calls.enrich).toEqual([{ domain: 'a.example' }, item, item, item]);
});

// Unit tests (fields-to-send.test.mts, data-to-send.test.mts) check which values each type accepts, and integers above
// 2^53.
test('sends fixed values with the type of their field, and keeps a number that an expression returns', async () => {
	const items = [{ employees: 12, tags: ['a'], text: '7' }];
	const row = (name: string, type: string, value: unknown) => ({ id: name, name, type, value });
	const assignments = [
		row('domain', 'string', '007'),
		row('employees', 'number', '={{ $json.employees }}'),
		row('number', 'number', '={{ $json.text }}'),
		row('active', 'boolean', 'true'),
		row('tags', 'array', '={{ $json.tags }}'),
		row('more', 'object', '{ "city": "Köln" }'),
		row('kept', 'string', '={{ $json.employees }}'),
		row('nothing', 'number', '={{ $json.missing }}'),
	];
	await bench.succeed({ ...enrich, fields: { assignments } }, { items });
	const numbers = { employees: 12, number: 7, kept: 12 };
	const sent = { domain: '007', ...numbers, active: true, tags: ['a'], more: { city: 'Köln' } };
	expect(bench.sandbox.requests[0]?.body).toEqual(sent);
});

test.each(oneCasePerOperation.filter(({ gives }) => typeof gives === 'string'))(
	'shows a hint with the result fields of $title whose integers lost digits',
	async ({ parameters, requests, gives }) => {
		const result = '{"ids":[9007199254740993],"more":{"id":12345678901234567},"at":1795424400123}';
		const path = requests.v2?.path ?? '';
		const list = `{"items":[{"at":1},${result}]}`;
		const body = `{"success":true,"data":${gives === 'one' ? result : list}}`;
		bench.sandbox.clearFaults();
		bench.sandbox.addFault({ path, times: Infinity, body });
		const said = (fields: string): string =>
			`Long numbers in ${fields} may have lost their last digits. To keep them, the service has to send them as text.`;
		const { outputs, hints } = await bench.succeed(parameters, { items: [{}, {}] });
		expect(outputs[0]?.at(-1)?.json).toMatchObject({ ids: [9007199254740992] });
		expect(hints.map(({ message }) => message)).toContain(said('"ids", "more"'));
		if (!parameters.dataToSend) return;
		const options = { outputFields: 'more, at' };
		const named = { ...parameters, includeInputFields: true, options };
		expect(hintsOf(await bench.succeed(named))).toContain(said('"more"'));
		const without = { ...parameters, options: { outputFields: 'at' } };
		expect(hintsOf(await bench.succeed(without)).join()).not.toContain('digits');
	},
);

describe('Full API Response', () => {
	const meta = expect.objectContaining({ ctx_id: expect.any(String) });
	const whole = { success: true, data: expect.any(Object), meta };

	test.each(oneCasePerOperation.filter(({ gives }) => typeof gives === 'string'))(
		'returns the full API response of $title as one item',
		async ({ parameters }) => {
			const run = await bench.run({ ...parameters, options: { fullResponse: true } });
			expect(jsonOf(run)).toEqual([whole]);
		},
	);
});

describe('a mistake that all items share', () => {
	const sheet = ['a', 'b', 'c'].map((name) => ({ Company: name, Website: `${name}.example` }));
	const empty = sheet.map(() => ({ Company: '', Website: ' ' }));
	const domain = { name: 'domain', value: '={{ $json.domain }}' };
	const named = { name: 'name', value: '={{ $json.Company }}' };
	const options = { deduplicateBy: 'domain' };

	test.each<[string, object, object[], string]>([
		['Fields to Send', fields(domain), sheet, 'No item has a value for "domain"'],
		['JSON', json('={{ { domain: $json.domain } }}'), sheet, 'No item has a value for "domain"'],
		['Auto-Map', mapped, empty, 'No item has a value for any field'],
		[
			'Deduplicate By',
			{ ...fields(named), options },
			sheet,
			"No item sends a field that 'Deduplicate By' names",
		],
		[
			'an expression of an option',
			{ ...fields(named), options: { maxCalls: '={{ $json.most }}' } },
			sheet,
			"The expression of 'Limit Calls' returns nothing for any item",
		],
	])('names the input fields in the error if all items share a mistake in %s', async (...row) => {
		const [, parameters, items, message] = row;
		const stopping = await bench.run({ ...enrich, ...parameters }, { items });
		const continuing = await bench.run(
			{ ...enrich, ...parameters },
			{ items, onError: 'continueRegularOutput' },
		);
		expect(bench.sandbox.requests).toEqual([]);
		expect(stopping.error?.message).toBe(message);
		expect(stopping.error?.description).toMatch(/The input items have: "Company", "Website"\.$/);
		expect(stopping.error?.description).not.toMatch(/blank rows|Filter|On Error/);
		expect(jsonOf(continuing).map(({ error }) => error)).toEqual(items.map(() => message));
	});

	test('reports a blank item in a separate error if another item has values', async () => {
		const items = [{ domain: 'a.example' }, { domain: '' }];
		const { error } = await bench.run({ ...enrich, ...fields(domain) }, { items });
		expect(error?.message).toBe('[item 1] has no values to send');
		expect(error?.description).toMatch(/^Nothing was sent now, .*<br>Remove blank rows/);
	});
});
