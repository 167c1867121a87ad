import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useSandbox } from '../../harness/support.mts';

const bench = useSandbox({ companies: 5 });

const enrich = { resource: 'company', operation: 'enrich' };
const score = { resource: 'deal', operation: 'score' };
const prospect = { resource: 'company', operation: 'prospect' };
const fields = (...values: object[]) => ({ dataToSend: 'defineBelow', fields: { values } });
const json = (jsonBody: unknown) => ({ dataToSend: 'json', jsonBody });
const mapped = { dataToSend: 'autoMapInputData' };

describe('a paid call about nothing is refused before it is sent', () => {
	const field = (value: string) => fields({ name: 'domain', value });

	test.each<[string, Record<string, unknown>]>([
		['a field whose expression gives nothing', field('={{ $json.no }}')],
		['a field whose expression gives null', field('={{ $json.none }}')],
		['a field that was left empty', field('')],
		['an object of nothing', field('={{ { b: undefined, c: [null] } }}')],
		['an input item of empty fields', mapped],
		['JSON of empty fields', json('{ "domain": null, "name": "", "more": { "tags": [] } }')],
		['JSON whose expression gives an object of nothing', json('={{ { domain: $json.no } }}')],
	])('%s', async (_name, parameters) => {
		for (const operation of [enrich, score, prospect]) {
			const run = await bench.run(
				{ ...operation, ...parameters },
				{ items: [{ none: null, empty: '' }] },
			);
			expect(run.error?.message).toBe('There is nothing to send');
			expect(run.error?.description).toContain('value');
		}
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test.each([
		['no field', fields()],
		['an input item without fields', mapped],
		['an empty object', json('{}')],
		['an expression that gives one', json('={{ {} }}')],
	])('Prospect asks without filters where none were written: %s', async (_name, parameters) => {
		const run = await bench.run({ ...prospect, ...parameters }, { items: [{}] });
		expect(run.error).toBeUndefined();
		expect(bench.sandbox.calls.prospect).toEqual([{}]);
	});

	test.each([
		['an empty list', 'tags', '[]'],
		['a nested field', 'where', '{"country":"FR"}'],
	])('%s does not vanish from the address', async (_name, field, value) => {
		const data = json(`{"industry":"Energy","${field}":${value}}`);
		const run = await bench.run({ ...prospect, ...data, options: { httpMethod: 'GET' } });
		expect(run.error?.message).toBe(`The field "${field}" cannot be sent with GET`);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

test('empty values beside others are left out of fields, and sent as JSON and input items have them', async () => {
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

test('bodies that differ in nothing but null, or in a list for an object, are each sent', async () => {
	const items = [
		{ domain: 'a.example', more: {} },
		{ domain: 'a.example', more: { b: null } },
		{ domain: 'a.example', more: [] },
		{ domain: 'a.example', more: ['{}'] },
		{ more: { b: null }, domain: 'a.example' },
	];
	const options = { sendIdenticalOnce: true, maxConcurrent: 1 };
	await bench.run({ ...enrich, ...mapped, options }, { items });
	expect(bench.sandbox.calls.enrich).toEqual(items.slice(0, 4));
});

describe('integers beyond 2^53', () => {
	const big = '9007199254740993';
	/** Every request as it came over the wire; the sandbox's log holds JavaScript numbers. */
	const received: Array<{ url: string; body: string }> = [];
	let server: Server;
	let credential: Record<string, unknown>;

	beforeAll(async () => {
		server = createServer((request, response) => {
			void text(request).then((body) => {
				received.push({ url: String(request.url), body });
				response.setHeader('content-type', 'application/json').end('{"data":{},"success":true}');
			});
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		credential = { ...bench.v2(), baseUrl: `http://127.0.0.1:${port}` };
	});
	afterAll(() => server.close());
	beforeEach(() => {
		received.length = 0;
	});

	test('are sent with all their digits from JSON, in a body and in an address', async () => {
		const body = `{"id":${big},"ids":[9007199254740992,-123456789012345678901234567890]}`;
		for (const parameters of [enrich, score, { ...enrich, operation: 'prospect' }]) {
			const run = await bench.run({ ...parameters, ...json(body) }, { credential });
			expect(run.error).toBeUndefined();
		}
		const options = { httpMethod: 'GET' };
		const byGet = { ...prospect, ...json(body), options };
		await bench.run(byGet, { credential });
		expect(received).toEqual([
			{ url: '/v2/enrich', body },
			{ url: '/v2/score', body: `${body.slice(0, -1)},"object_type":"deal"}` },
			{ url: '/v2/prospect/companies', body },
			{
				url: `/v2/prospect/companies?id=${big}&ids=9007199254740992&ids=-123456789012345678901234567890`,
				body: '',
			},
		]);
	});

	test('are told apart by every digit when identical data is sent once', async () => {
		const items = [{ last: '2' }, { last: '3' }, { last: '3' }, { last: '5' }];
		const body = '={"id":900719925474099{{ $json.last }}7}';
		const options = { sendIdenticalOnce: true, maxConcurrent: 1 };
		const run = await bench.run({ ...enrich, ...json(body), options }, { credential, items });
		expect(run.error).toBeUndefined();
		expect(received.map(({ body: sent }) => sent)).toEqual(
			['2', '3', '5'].map((last) => `{"id":900719925474099${last}7}`),
		);
	});

	test.each<[string, string, Record<string, unknown>]>([
		['an input item', 'company.ids[1]', mapped],
		['a field', 'id', fields({ name: 'id', value: '={{ $json.company.ids[1] }}' })],
		['an object in JSON', 'company.ids[1]', json('={{ $json }}')],
		['text in JSON', 'id', json('={ "id": {{ $json.company.ids[1] }} }')],
	])('are refused once n8n has read %s', async (_name, path, parameters) => {
		const items = [JSON.parse(`{"company":{"ids":[1,${big}]}}`) as object];
		for (const operation of ['enrich', 'prospect']) {
			const run = await bench.run({ ...enrich, operation, ...parameters }, { credential, items });
			expect(run.error?.message).toContain(`"${path}"`);
			expect(run.error?.description).toContain('Make it text');
		}
		expect(received).toEqual([]);
	});
});
