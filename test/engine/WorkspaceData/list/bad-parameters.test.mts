import { describe, expect, test } from 'vitest';
import { useSandbox } from '../../harness/support.mts';
import { testRefused, type Refused } from '../refused.mts';

const bench = useSandbox({ companies: 10 });

const companies = { resource: 'company', operation: 'getAll' };
const query = { resource: 'record', operation: 'query' };
const list = (more: object) => ({ ...companies, ...more });
const options = (chosen: object) => list({ options: chosen });
const ofType = (objectType: unknown) => ({ ...query, objectType });

// With an expression n8n cannot know which options belong together, and hands all of them over.
const byCursor = { pagination: '={{ "cursor" }}' };
const byPage = { pagination: '={{ "page" }}' };
const newest = { order: '={{ "newestFirst" }}' };
const all = (value: string) => ({ returnAll: `={{ ${value} }}` });
const files = { outputAs: '={{ "csv" }}' };
const day = '2026-01-01T00:00:00';
const noStatus = { values: [{ name: 'status', value: '={{ $json.status }}' }] };
const seven = { __rl: true, mode: 'name', value: '={{ 7 }}' };

const cases: Refused[] = [
	['limit below 1', list({ limit: 0 }), /Limit.*at least 1/, /Limit.*0/],
	['limit with a fraction', list({ limit: 1.5 }), /Limit.*whole number/, /1\.5/],
	['limit that is no number', list({ limit: '={{ "many" }}' }), /Limit/, /"many"/],
	['all if "yes"', list(all('"yes"')), /Return All must be true or false/, /"yes"/],
	['all if empty', list(all('""')), /Return All must be true or false/, /empty/],
	['page size below 1', options({ pageSize: 0 }), /Page Size.*at least 1/, /0/],
	['page below 1', options({ pagination: 'page', page: 0 }), /Page must/, /0/],
	['page by cursor', options({ ...byCursor, page: 2 }), /Page .*with cursor/, /Pagination to Page/],
	['sort key by cursor', options({ ...byCursor, sortKey: 'name' }), /Sort Key.*cursor/, /"name"/],
	['cursor by page', options({ ...byPage, startCursor: 'a' }), /Start Cursor.*page/, /Cursor/],
	['sort by page', options({ ...byPage, sort: 'created_at' }), /Sort.*page pagination/, /Cursor/],
	['unknown sort', options({ sort: '={{ "name" }}' }), /Sort/, /updated_at, created_at/],
	['unknown paging', options({ pagination: '={{ "none" }}' }), /Pagination/, /cursor, page/],
	['by page', options({ ...byPage, ...newest }), /Newest First.*page/, /Remove .*Pagination/],
	['newest from', options({ ...newest, startCursor: 'a' }), /Start Cursor.*Newest First/, /"a"/],
	[
		'all newest',
		{ ...options(newest), ...all('true') },
		/Newest First.*Return All/,
		/off Return All/,
	],
	['newest as files', { ...options(newest), ...files }, /Newest First.*files/, /As to Items/],
	['newest of estimates', options({ ...newest, ignoreTotal: true }), /Newest.*Ignore Total/, /off/],
	['after no date', options({ changedAfter: 'some day' }), /Changed After must be a date/, /day/],
	['after by page', options({ ...byPage, changedAfter: day }), /Changed After.*page/, /Cursor/],
	['object type that is a number', ofType('={{ 5 }}'), /must be text/, /5/],
	['object type of nothing', ofType('={{ $json.a }}'), /Object Type returns nothing/, /Correct/],
	['object type by its list', ofType(seven), /Object Type must be text/, /7/],
	['empty object type', ofType('={{ " " }}'), /Object Type is empty/, /company/],
	['no value', options({ additionalParameters: noStatus }), /"status" .*cannot be sent/, /empty/],
	['retries below 0', options({ maxRetries: -1 }), /Max Retries/, /-1/],
	['timeout below 1', options({ timeout: 0 }), /Timeout/, /0/],
	['fields that are no names', options({ fields: '={{ 5 }}' }), /Fields/, /5/],
];

describe('an option of the other pagination that the panel does not show', () => {
	test.each([
		[{ page: 2 }, { sort: 'updated_at', limit: '1' }],
		[
			{ pagination: 'page', startCursor: 'abc' },
			{ page: '1', limit: '1' },
		],
	])('%j counts for nothing', async (chosen, sent) => {
		await bench.run({ ...options(chosen), limit: 1 });
		expect(bench.sandbox.requests.map(({ query: asked }) => asked)).toEqual([sent]);
	});
});

describe('bad parameters are refused before any request', () => {
	testRefused(bench, cases);
});
