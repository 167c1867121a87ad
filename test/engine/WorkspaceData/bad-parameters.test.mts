import { describe, expect, test } from 'vitest';
import { oneCasePerOperation } from '../../samples.mts';
import { useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 10 });

describe('every operation', () => {
	test.each(oneCasePerOperation)('$title refuses options that cannot be', async (sample) => {
		for (const options of [{ maxRetries: -1 }, { maxRetries: 1.5 }, { timeout: 0 }]) {
			const run = await bench.run({ ...sample.parameters, options });
			expect(run.error?.message).toMatch(/^'(Max Retries|Timeout \(Ms\))' must be a whole number/);
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

/** What is wrong, the parameters, and what the message and the description must name. */
type Refused = [string, Record<string, unknown>, RegExp, RegExp];

// With an expression n8n cannot know which options belong together, and hands all of them over.
const byCursor = { pagination: '={{ "cursor" }}' };
const byPage = { pagination: '={{ "page" }}' };
const newest = { order: '={{ "newestFirst" }}' };
const list = (more: object) => ({ resource: 'company', operation: 'getAll', ...more });
const options = (chosen: object) => list({ options: chosen });
const all = (value: string) => ({ returnAll: `={{ ${value} }}` });
const ofType = (objectType: unknown) => ({ resource: 'record', operation: 'query', objectType });
const day = '2026-01-01T00:00:00';
const seven = { __rl: true, mode: 'name', value: '={{ 7 }}' };

const ofLists: Refused[] = [
	['limit below 1', list({ limit: 0 }), /Limit.*at least 1/, /Limit.*0/],
	['limit with a fraction', list({ limit: 1.5 }), /Limit.*whole number/, /1\.5/],
	['limit that is no number', list({ limit: '={{ "many" }}' }), /Limit/, /"many"/],
	['all if "yes"', list(all('"yes"')), /'Return All' must be true or false/, /"yes"/],
	['all if empty', list(all('""')), /'Return All' must be true or false/, /empty/],
	['page size below 1', options({ pageSize: 0 }), /Page Size.*at least 1/, /0/],
	['page below 1', options({ pagination: 'page', page: 0 }), /'Page' must/, /0/],
	[
		'page by cursor',
		options({ ...byCursor, page: 2 }),
		/'Page' .*with cursor/,
		/'Pagination' to Page/,
	],
	['sort key by cursor', options({ ...byCursor, sortKey: 'name' }), /Sort Key.*cursor/, /"name"/],
	['cursor by page', options({ ...byPage, startCursor: 'a' }), /Start Cursor.*page/, /Cursor/],
	['sort by page', options({ ...byPage, sort: 'created_at' }), /Sort.*page pagination/, /Cursor/],
	['unknown sort', options({ sort: '={{ "name" }}' }), /Sort/, /updated_at, created_at/],
	['unknown paging', options({ pagination: '={{ "none" }}' }), /Pagination/, /cursor, page/],
	['by page', options({ ...byPage, ...newest }), /Newest First.*page/, /Remove .*Pagination/],
	[
		'newest from',
		options({ ...newest, startCursor: 'a', pageSize: 9 }),
		/Start Cursor.*Newest First/,
		/"a"/,
	],
	[
		'all newest',
		list({ options: newest, ...all('true') }),
		/Newest.*Return All/,
		/off 'Return All'/,
	],
	['newest as pages', list({ options: newest, ...as('pages') }), /Newest.*pages/, /As' to Items/],
	['a cursor alone', options({ startCursor: 'a' }), /'Start Cursor' needs.*'Page Size'/, /"limit"/],
	[
		'no date range',
		options({ changedAfter: day, changedBefore: day }),
		/Before' must be later/,
		/01-01/,
	],
	[
		'newest of estimates',
		options({ ...newest, ignoreTotal: true }),
		/Newest.*'Ignore Total'/,
		/Remove/,
	],
	['after no date', options({ changedAfter: 'some day' }), /'Changed After' must be a date/, /day/],
	['after by page', options({ ...byPage, changedAfter: day }), /Changed After.*page/, /Cursor/],
	['object type that is a number', ofType('={{ 5 }}'), /must be text/, /5/],
	['object type of nothing', ofType('={{ $json.a }}'), /'Object Type' returns nothing/, /Correct/],
	['object type by its list', ofType(seven), /'Object Type' must be text/, /7/],
	['empty object type', ofType('={{ " " }}'), /'Object Type' is empty/, /company/],
	['fields that are no names', options({ fields: '={{ 5 }}' }), /'Field Names/, /5/],
];

function as(outputAs: string) {
	return { outputAs: `={{ "${outputAs}" }}` };
}
const files = (chosen: object) => list({ returnAll: true, outputAs: 'csv', options: chosen });
const found = /It is .+ (?:now|in it)\./;

const ofFiles: Refused[] = [
	['none per file', files({ recordsPerFile: 0 }), /^'Records per File' must .* at least 1/, found],
	['all per file', files({ recordsPerFile: '={{ "all" }}' }), /Records per File/, found],
	['a folder', files({ fileName: 'exports/a.csv' }), /'File Name' has a character/, found],
	['a name that is a list', files({ fileName: '={{ [5] }}' }), /'File Name' must be text/, found],
	['no field', files({ binaryPropertyName: ' ' }), /Put Output File in Field/, found],
	['"no"', files({ escapeFormulas: '={{ "no" }}' }), /^'Escape Formulas' .* true or false$/, found],
	['a comma', files({ csvFormat: '={{ "," }}' }), /^'CSV Format' has .* exist$/, found],
	['another line end', files({ lineEnd: '={{ "cr" }}' }), /^'Line End' has .* exist$/, found],
	['another output', list(as('xlsx')), /^'Output As' has/, /items, pages, ndjson, csv/],
];

const noDate = 'DateTime.fromISO("x")';
const enrich = { resource: 'company', operation: 'enrich' };
const score = { resource: 'deal', operation: 'score' };
const whoAmI = { resource: 'workspace', operation: 'whoAmI' };
const calling = (chosen: object) => ({ ...enrich, options: chosen });
const json = (jsonBody: string, call = enrich) => ({ ...call, dataToSend: 'json', jsonBody });
const rows = (...values: object[]) => ({ ...enrich, fields: { values } });
const typed = (type: string, value: string) => ({
	...enrich,
	fields: { assignments: [{ name: 'a', type, value }] },
});

const ofCalls: Refused[] = [
	[
		'text for true',
		calling({ previewOnly: '={{ "ja" }}' }),
		/^'Preview Only' must be true/,
		/"ja"/,
	],
	['too many at once', calling({ maxConcurrent: 101 }), /^'Max Concurrent' .*at most 100$/, /101/],
	[
		'another output',
		{ ...whoAmI, options: { output: '={{ "data" }}' } },
		/^'Output' has/,
		/result/,
	],
	['JSON that is an array', json('[1]'), /JSON object/, /curly braces.*\[1\]/],
	['broken JSON', json('{"a":'), /^Invalid JSON at line 1, column 6$/, /Complete the parameter/],
	['nothing to send', enrich, /nothing to send/, /Add at least one field/],
	['a field without a name', rows({ name: ' ', value: '1' }), /Field 1.*no name/, /name/],
	['a field listed twice', rows({ name: 'a' }, { name: 'a' }), /"a" is listed twice/, /Remove/],
	['a number that is none', typed('number', 'abc'), /"a" .*is set to Number/, /in digits.*"abc"/],
	['a file as a field', typed('binary', 'data'), /"a" .*is set to Binary/, /another type/],
	['a lost date', typed('string', '={{ new Date("x") }}'), /"a" .*cannot be sent/, /Invalid Date/],
	['a lost DateTime', typed('string', `={{ ${noDate} }}`), /"a" is not a date/, /Invalid DateTime/],
	['it in JSON', json(`={{ ({ a: [${noDate}] }) }}`), /"a\[0\]" is not a date/, /Invalid DateTime/],
	['another type', json('{"object_type":"item"}', score), /object_type "item"/, /Resource/],
];

const changes = { resource: 'sync', operation: 'getChanges', outputAs: 'batch', progress: 'given' };
const sync = (more: object) => ({ ...changes, ...more });
const noRecords = { options: { maxRecords: 0 } };

const ofSync: Refused[] = [
	['items', sync({ outputAs: 'items' }), /Set 'Output As' to Batch/, /no place for it/],
	['half', sync({ checkpoint: 'eyJhIjox' }), /'Checkpoint' must be the whole/, /leave it empty/],
	['a number', sync({ checkpoint: '={{ 5 }}' }), /'Checkpoint' must be/, /5/],
	['no records', sync(noRecords), /Max Records per Run/, /0/],
	['pages', sync(as('pages')), /Output As/, /items, batch, ndjson, csv/],
	['my progress', sync({ progress: '={{ "mine" }}' }), /Progress/, /confirmed, given/],
];

describe.each([
	['a list', ofLists],
	['files', ofFiles],
	['a call', ofCalls],
	['Sync', ofSync],
])('bad parameters of %s are refused before any request', (_what, cases) => {
	test.each(cases)('%s', async (_name, parameters, message, description) => {
		const run = await bench.run(parameters);
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(description);
		expect(run.error?.context).toMatchObject({ itemIndex: 0 });
		expect(bench.sandbox.requests).toHaveLength(0);
	});
});

test.each([
	[{ page: 2 }, { sort: 'updated_at', limit: '1' }],
	[
		{ pagination: 'page', startCursor: 'abc' },
		{ page: '1', limit: '1' },
	],
])('an option of the other pagination counts for nothing: %j', async (chosen, sent) => {
	await bench.run({ ...options(chosen), limit: 1 });
	expect(bench.sandbox.requests.map(({ query }) => query)).toEqual([sent]);
});
