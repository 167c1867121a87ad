import { describe, expect, test } from 'vitest';
import { useSandbox } from '../../harness/support.mts';
import { testRefused, type Refused } from '../refused.mts';

const bench = useSandbox({ companies: 10 });

const companies = { resource: 'company', operation: 'getAll' };
const query = { resource: 'record', operation: 'query' };

// With an expression n8n cannot know which options belong together, and hands all of them over.
const byCursor = '={{ "cursor" }}';
const byPage = '={{ "page" }}';

const cases: Refused[] = [
	['limit below 1', { ...companies, limit: 0 }, /Limit.*at least 1/, /Limit.*0/],
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
	[
		'object type that is undefined',
		{ ...query, objectType: '={{ $json.a }}' },
		/Object Type returns nothing/,
		/Correct the expression/,
	],
	[
		'object type by an expression in its list',
		{ ...query, objectType: { __rl: true, mode: 'name', value: '={{ 7 }}' } },
		/Object Type must be text/,
		/7/,
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
	testRefused(bench, cases);
});
