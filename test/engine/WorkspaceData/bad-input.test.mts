import { describe, expect, test } from 'vitest';
import { oneCasePerOperation } from '../../samples.mts';
import { useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 10 });

const companies = { resource: 'company', operation: 'getAll' };
const enrich = { resource: 'company', operation: 'enrich' };
const query = { resource: 'record', operation: 'query' };

// With an expression n8n cannot know which options belong together, and hands all of them over.
const byCursor = '={{ "cursor" }}';
const byPage = '={{ "page" }}';

/** Each entry: what is wrong, the parameters, what the message and the description must name. */
const cases: Array<[string, Record<string, unknown>, RegExp, RegExp]> = [
	['limit below 1', { ...companies, limit: 0 }, /Limit.*at least 1/, /0.*Limit/],
	['limit with a fraction', { ...companies, limit: 1.5 }, /Limit.*whole number/, /1\.5/],
	['limit that is no number', { ...companies, limit: '={{ "many" }}' }, /Limit/, /"many"/],
	['page size below 1', { ...companies, options: { pageSize: 0 } }, /Page Size.*at least 1/, /0/],
	['page below 1', { ...companies, options: { pagination: 'page', page: 0 } }, /Page must/, /0/],
	[
		'page in cursor mode',
		{ ...companies, options: { pagination: byCursor, page: 2 } },
		/Page does not work with cursor/,
		/Pagination to Page/,
	],
	[
		'sort key in cursor mode',
		{ ...companies, options: { pagination: byCursor, sortKey: 'name' } },
		/Sort Key.*cursor/,
		/"name"/,
	],
	[
		'start cursor in page mode',
		{ ...companies, options: { pagination: byPage, startCursor: 'abc' } },
		/Start Cursor.*page pagination/,
		/Cursor/,
	],
	[
		'sort in page mode',
		{ ...companies, options: { pagination: byPage, sort: 'created_at' } },
		/Sort.*page pagination/,
		/Cursor/,
	],
	[
		'return all that is neither true nor false',
		{ ...companies, returnAll: '={{ "yes" }}' },
		/Return All must be true or false/,
		/"yes"/,
	],
	[
		'return all that is empty text',
		{ ...companies, returnAll: '={{ "" }}' },
		/Return All must be true or false/,
		/empty/,
	],
	[
		'escape formulas that is a number',
		{ ...companies, outputAs: 'csv', options: { escapeFormulas: '={{ 0 }}' } },
		/Escape Formulas must be true or false/,
		/0/,
	],
	[
		'byte order mark that is text',
		{ ...companies, outputAs: 'csv', options: { byteOrderMark: '={{ "on" }}' } },
		/Byte Order Mark must be true or false/,
		/"on"/,
	],
	[
		'send identical once that is a number',
		{ ...enrich, options: { sendIdenticalOnce: '={{ 1 }}' } },
		/Send Identical Once must be true or false/,
		/1/,
	],
	[
		'include input fields that is text',
		{ ...enrich, options: { includeInputFields: '={{ "ja" }}' } },
		/Include Input Fields must be true or false/,
		/"ja"/,
	],
	[
		'unknown sort',
		{ ...companies, options: { sort: '={{ "name" }}' } },
		/Sort/,
		/updated_at, created_at/,
	],
	[
		'unknown pagination',
		{ ...companies, options: { pagination: '={{ "none" }}' } },
		/Pagination/,
		/cursor, page/,
	],
	[
		'Newest First with Return All',
		{ ...companies, returnAll: '={{ true }}', options: { order: 'newestFirst' } },
		/Newest First.*Return All/,
		/Turn off Return All/,
	],
	[
		'Newest First with files',
		{ ...companies, outputAs: '={{ "csv" }}', options: { order: 'newestFirst' } },
		/Newest First.*files/,
		/Output As to Items/,
	],
	[
		'Newest First with page pagination',
		{ ...companies, options: { pagination: byPage, order: 'newestFirst' } },
		/Newest First.*page pagination/,
		/Remove the option Pagination/,
	],
	[
		'Newest First with a start cursor',
		{ ...companies, options: { order: '={{ "newestFirst" }}', startCursor: 'abc' } },
		/Start Cursor.*Newest First/,
		/"abc"/,
	],
	['object type that is a number', { ...query, objectType: '={{ 5 }}' }, /must be text/, /5/],
	['object type that is undefined', { ...query, objectType: '={{ $json.a }}' }, /empty/, /name/],
	[
		'object type by an expression in its list',
		{ ...query, objectType: { __rl: true, mode: 'name', value: '={{ 7 }}' } },
		/Object Type must be text/,
		/7/,
	],
	[
		'an additional parameter that paging needs',
		{
			...companies,
			options: { additionalParameters: { values: [{ name: 'limit', value: '5' }] } },
		},
		/"limit" is one that this node sends by itself/,
		/Remove it/,
	],
	[
		'an additional parameter without a value',
		{
			...companies,
			options: {
				additionalParameters: { values: [{ name: 'status', value: '={{ $json.status }}' }] },
			},
		},
		/"status" has a value that cannot be sent/,
		/empty/,
	],
	['empty object type', { ...query, objectType: '={{ " " }}' }, /Object Type is empty/, /company/],
	[
		'JSON that is an array',
		{ ...enrich, dataToSend: 'json', jsonBody: '[1]' },
		/JSON object/,
		/\[1\]/,
	],
	[
		'JSON that is text',
		{ ...enrich, dataToSend: 'json', jsonBody: '"x"' },
		/JSON object/,
		/curly braces/,
	],
	[
		'broken JSON',
		{ ...enrich, dataToSend: 'json', jsonBody: '{"a":' },
		/JSON object/,
		/cannot be read/,
	],
	['nothing to send', enrich, /nothing to send/, /Add at least one field/],
	[
		'a field without a name',
		{ ...enrich, fields: { values: [{ name: ' ', value: '1' }] } },
		/Field 1.*no name/,
		/name/,
	],
	[
		'a field listed twice',
		{
			...enrich,
			fields: {
				values: [
					{ name: 'a', value: '1' },
					{ name: 'a', value: '2' },
				],
			},
		},
		/"a" is listed twice/,
		/Remove/,
	],
	[
		'a number that is none',
		{ ...enrich, fields: { assignments: [{ name: 'a', type: 'number', value: 'abc' }] } },
		/"a" .*is set to Number/,
		/in digits/,
	],
	[
		'a list that does not parse',
		{ ...enrich, fields: { assignments: [{ name: 'a', type: 'array', value: '[1,' }] } },
		/"a" .*is set to Array/,
		/"\[1,".*JSON list/,
	],
	[
		'a file as a field',
		{ ...enrich, fields: { assignments: [{ name: 'a', type: 'binary', value: 'data' }] } },
		/"a" .*is set to Binary/,
		/another type/,
	],
	[
		'an assignment without a name',
		{ ...enrich, fields: { assignments: [{ name: '', type: 'string', value: 'x' }] } },
		/Field 1.*no name/,
		/name/,
	],
	[
		'another object type',
		{
			resource: 'deal',
			operation: 'score',
			dataToSend: 'json',
			jsonBody: '{"object_type":"company"}',
		},
		/object_type "company"/,
		/Resource/,
	],
	['retries below 0', { ...companies, options: { maxRetries: -1 } }, /Max Retries/, /-1/],
	['timeout below 1', { ...companies, options: { timeout: 0 } }, /Timeout/, /0/],
	['fields that are no names', { ...companies, options: { fields: '={{ 5 }}' } }, /Fields/, /5/],
];

describe('an option of the other pagination that the panel does not show', () => {
	test.each([
		[{ page: 2 }, { sort: 'updated_at', limit: '1' }],
		[
			{ pagination: 'page', startCursor: 'abc' },
			{ page: '1', limit: '1' },
		],
	])('%j counts for nothing', async (options, sent) => {
		await bench.run({ ...companies, limit: 1, options });
		expect(bench.sandbox.requests.map(({ query: asked }) => asked)).toEqual([sent]);
	});
});

describe('bad parameters are refused before any request', () => {
	test.each(cases)('%s', async (_name, parameters, message, description) => {
		const run = await bench.run(parameters);
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(description);
		expect(run.error?.context).toMatchObject({ itemIndex: 0 });
		expect(bench.sandbox.requests).toHaveLength(0);
	});
});

describe('every operation', () => {
	test.each(oneCasePerOperation)('$title refuses options that cannot be', async (sample) => {
		for (const options of [{ maxRetries: -1 }, { maxRetries: 1.5 }, { timeout: 0 }]) {
			const run = await bench.run({ ...sample.parameters, options });
			expect(run.error?.message).toMatch(/^(Max Retries|Timeout) must be a whole number/);
			expect(run.error?.context).toMatchObject({ itemIndex: 0 });
		}
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test.each(oneCasePerOperation)('$title with nothing entered', async ({ chosen, bare }) => {
		const run = await bench.run(chosen);
		if (bare === undefined) expect(run.error).toBeUndefined();
		else expect(run.error?.message).toMatch(bare);
		expect(bench.sandbox.requests).toHaveLength(bare === undefined ? 1 : 0);
	});
});

describe('a credential that cannot work is refused before any request', () => {
	const needKey = oneCasePerOperation.filter(({ requests }) => requests.v1 === undefined);
	test.each(needKey)('v1 token on $title', async ({ parameters, title }) => {
		const run = await bench.run(parameters, { credential: bench.v1() });
		expect(run.error?.message).toContain(`${title} needs a developer API key (v2)`);
		expect(run.error?.description).toContain('API Version');
		expect(run.error?.description).toContain('works for Enrich, Score and Who Am I only');
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test.each([
		['   ', /Base URL.*empty/],
		['api.example.com', /Base URL.*not a web address/],
		['ftp://example.com', /Base URL.*must start with https/],
		['https://user:pass@example.com', /must not contain a user name/],
		['https://example.com/?a=1', /must not contain "\?"/],
	])('base URL %j', async (baseUrl, message) => {
		const run = await bench.run(companies, { credential: { ...bench.v2(), baseUrl } });
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toContain('Open the credential');
	});

	test('an empty key', async () => {
		const run = await bench.run(companies, { credential: { ...bench.v2(), apiKey: '  ' } });
		expect(run.error?.message).toContain('API Key of the credential is empty');
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test('a key with a line break in it is refused without being shown', async () => {
		const apiKey = 'fake-v2\nfull-access-key';
		const run = await bench.run(companies, { credential: { ...bench.v2(), apiKey } });
		expect(run.error?.message).toContain('line break');
		expect(JSON.stringify(run.run)).not.toContain('full-access-key');
	});
});

describe('what people paste is put right', () => {
	test('spaces and slashes around the base URL, and a Bearer prefix', async () => {
		const { baseUrl, apiKey } = bench.v2() as { baseUrl: string; apiKey: string };
		const run = await bench.run(
			{ ...companies, limit: 2 },
			{
				credential: { apiVersion: 'v2', baseUrl: ` ${baseUrl}// `, apiKey: ` Bearer ${apiKey}\n` },
			},
		);
		expect(run.error).toBeUndefined();
		expect(bench.sandbox.requests).toMatchObject([
			{ path: '/v2/public/companies', credential: 'v2-full', status: 200 },
		]);
	});
});
