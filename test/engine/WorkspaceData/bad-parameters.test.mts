import { describe, expect, test } from 'vitest';
import { oneCasePerOperation } from '../../samples.mts';
import { useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 10 });

describe('every operation', () => {
	test.each(oneCasePerOperation)('$title refuses options that are out of range', async (sample) => {
		for (const [options, label, least] of [
			[{ maxRetries: -1 }, 'Max Retries', 0],
			[{ maxWait: -1 }, 'Max Wait (Seconds)', 0],
			[{ timeout: 0 }, 'Timeout (Ms)', 1],
		] as const) {
			const run = await bench.run({ ...sample.parameters, options });
			expect(run.error?.message).toBe(`'${label}' must be a whole number of at least ${least}`);
			expect(run.error?.context).toMatchObject({ itemIndex: 0 });
		}
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test.each(oneCasePerOperation)(
		'$title says what it needs before it sends anything',
		async ({ chosen, bare }) => {
			const run = await bench.run(chosen);
			if (bare === undefined) expect(run.error).toBeUndefined();
			else expect(run.error?.message).toMatch(bare);
			expect(bench.sandbox.requests).toHaveLength(bare === undefined ? 1 : 0);
		},
	);
});

/** Parameters, by what the error must say of them: its whole message, an arrow, and what to do. */
type Refused = Record<string, Record<string, unknown>>;

/** `shown`: the value, as the error shows it. */
const mustBe = (what: string, label: string, shown: string) =>
	`'${label}' must be ${what} → Change '${label}'. It is ${shown} now.`;
const trueOrFalse = 'true or false';
const atLeast1 = 'a whole number of at least 1';
const mustBeOneOf = (choices: string, label: string, shown: string) =>
	`'${label}' has a value that does not exist → Use one of: ${choices}. It is ${shown} now.`;
const needs = (has: string, other: string) => (option: string, shown: string) =>
	`The option '${option}' does not work with ${has} pagination → Remove the option '${option}' (it is ${shown}), or set the option 'Pagination' to ${other}.`;
const needsCursors = needs('page', 'Cursor');
const needsPages = needs('cursor', 'Page');

// With an expression n8n cannot know which options belong together, and hands all of them over.
const byCursor = { pagination: '={{ "cursor" }}' };
const byPage = { pagination: '={{ "page" }}' };
const newest = { order: '={{ "newestFirst" }}' };
const list = (more: object) => ({ resource: 'company', operation: 'getAll', ...more });
const options = (chosen: object) => list({ options: chosen });
const returnAll = (value: string) => ({ returnAll: `={{ ${value} }}` });
const as = (outputAs: string) => ({ outputAs: `={{ "${outputAs}" }}` });
const ofType = (objectType: unknown) => ({ resource: 'record', operation: 'query', objectType });
const day = '2026-01-01T00:00:00';
const byName = { __rl: true, mode: 'name', value: '={{ 7 }}' };
const chooseType = 'Choose a type in this node, or enter its API name, for example company.';

const ofLists: Refused = {
	[mustBe(atLeast1, 'Limit', '0')]: list({ limit: 0 }),
	[mustBe(atLeast1, 'Limit', '1.5')]: list({ limit: 1.5 }),
	[mustBe(atLeast1, 'Limit', '"many"')]: list({ limit: '={{ "many" }}' }),
	[mustBe(trueOrFalse, 'Return All', '"yes"')]: list(returnAll('"yes"')),
	[mustBe(trueOrFalse, 'Return All', 'empty')]: list(returnAll('""')),
	[mustBe(atLeast1, 'Page Size', '0')]: options({ pageSize: 0 }),
	[mustBe(atLeast1, 'Page', '0')]: options({ pagination: 'page', page: 0 }),
	[needsPages('Page', '2')]: options({ ...byCursor, page: 2 }),
	[needsPages('Sort Key', '"name"')]: options({ ...byCursor, sortKey: 'name' }),
	[needsCursors('Start Cursor', '"a"')]: options({ ...byPage, startCursor: 'a' }),
	[needsCursors('Sort', '"created_at"')]: options({ ...byPage, sort: 'created_at' }),
	[needsCursors('Changed After', `"${day}"`)]: options({ ...byPage, changedAfter: day }),
	[mustBeOneOf('created_at, updated_at', 'Sort', '"name"')]: options({ sort: '={{ "name" }}' }),
	[mustBeOneOf('cursor, page', 'Pagination', '"none"')]: options({ pagination: '={{ "none" }}' }),
	[needsCursors('Order', '"newestFirst"')]: options({ ...byPage, ...newest }),
	"The option 'Order: Newest First' does not work with 'Return All' → Turn off 'Return All', or set the option 'Order' to Oldest First.":
		list({ options: newest, ...returnAll('true') }),
	"The option 'Order: Newest First' does not work with pages → Set 'Output As' to Items or files, or set the option 'Order' to Oldest First.":
		list({ options: newest, ...as('pages') }),
	"The option 'Ignore Total' does not work with Newest First → Remove the option 'Ignore Total' (it is true), or set the option 'Order' to Oldest First.":
		options({ ...newest, ignoreTotal: true }),
	[`The option 'Start Cursor' does not work with Newest First → Remove the option 'Start Cursor' (it is "a"), or set the option 'Order' to Oldest First.`]:
		options({ ...newest, startCursor: 'a', pageSize: 9 }),
	[`The option 'Start Cursor' needs the option 'Page Size' → Set 'Page Size' to the "limit" that came with the cursor: it stands beside it in meta.pagination of a page, in the item of a file, and in the details of an error. A cursor may lead elsewhere with another one.`]:
		options({ startCursor: 'a' }),
	[`'Changed Before' must be later than 'Changed After' → Change one of them: no record can be later than "${day}" and not later than "${day}".`]:
		options({ changedAfter: day, changedBefore: day }),
	[`'Changed After' must be a date and time → Write for example 2026-11-30T09:00, or remove 'Changed After'. It is "some day" now.`]:
		options({ changedAfter: 'some day' }),
	[`'Object Type' must be text → ${chooseType} It is the number 5 now.`]: ofType('={{ 5 }}'),
	[`'Object Type' must be text → ${chooseType} It is the number 7 now.`]: ofType(byName),
	"The expression of 'Object Type' returns nothing → Correct the expression, or remove it from 'Object Type'. It returns undefined.":
		ofType('={{ $json.a }}'),
	[`'Object Type' is empty → ${chooseType}`]: ofType('={{ " " }}'),
	"'Field Names or IDs' must be names separated by commas, or a list of names → Write for example: name, domain, updated_at. It is 5 now.":
		options({ fields: '={{ 5 }}' }),
};

const files = (chosen: object) => list({ returnAll: true, outputAs: 'csv', options: chosen });

const ofFiles: Refused = {
	[mustBe(atLeast1, 'Records per File', '0')]: files({ recordsPerFile: 0 }),
	[mustBe(atLeast1, 'Records per File', '"all"')]: files({ recordsPerFile: '={{ "all" }}' }),
	[`'File Name' has a character that file names cannot have → It is "exports/a.csv", with "/" in it. Use letters, digits, spaces, dots, "-" and "_"; folders are chosen where the file is stored.`]:
		files({ fileName: 'exports/a.csv' }),
	[mustBe('text', 'File Name', '[5]')]: files({ fileName: '={{ [5] }}' }),
	[`'Put Output File in Field' must be the name of a field → Write for example: data. It is " " now.`]:
		files({ binaryPropertyName: ' ' }),
	[mustBe(trueOrFalse, 'Escape Formulas', '"no"')]: files({ escapeFormulas: '={{ "no" }}' }),
	[`'CSV Format' has a value that does not exist → Use one of: excel, excelDecimalComma, comma, tab. It is "," now.`]:
		files({ csvFormat: '={{ "," }}' }),
	[mustBeOneOf('crlf, lf', 'Line End', '"cr"')]: files({ lineEnd: '={{ "cr" }}' }),
	[mustBeOneOf('csv, items, ndjson, pages', 'Output As', '"xlsx"')]: list(as('xlsx')),
};

const noDate = 'DateTime.fromISO("x")';
const enrich = { resource: 'company', operation: 'enrich' };
const whoAmI = (output: string) => ({
	...{ resource: 'workspace', operation: 'whoAmI', options: { output } },
});
const calling = (chosen: object) => ({ ...enrich, options: chosen });
const json = (jsonBody: string) => ({ ...enrich, dataToSend: 'json', jsonBody });
const typed = (type: string, value: string) => ({
	...enrich,
	fields: { assignments: [{ name: 'a', type, value }] },
});
const noDateIn = (field: string) =>
	`The field "${field}" is not a date that can be sent → It is "Invalid DateTime". Check the expression or the node that it comes from.`;

const ofCalls: Refused = {
	[mustBe(trueOrFalse, 'Preview Only', '"ja"')]: calling({ previewOnly: '={{ "ja" }}' }),
	[mustBe(`${atLeast1} and at most 100`, 'Max Concurrent', '101')]: calling({ maxConcurrent: 101 }),
	[mustBe(atLeast1, 'Reuse Results For (Days)', '0')]: calling({ reuseResultsFor: 0 }),
	[mustBeOneOf('result, response', 'Output', '"data"')]: whoAmI('={{ "data" }}'),
	[mustBeOneOf('result, response', 'Output', '"selected"')]: whoAmI('selected'),
	"There is nothing to send → Add at least one field with a value under 'Fields to Send', for example domain with example.com. A field whose expression returns nothing is not sent.":
		enrich,
	[noDateIn('a').replace('DateTime', 'Date')]: typed('string', '={{ new Date("x") }}'),
	[noDateIn('a')]: typed('string', `={{ ${noDate} }}`),
	[noDateIn('b').replace('DateTime', 'Date')]: json('={{ ({ b: "Invalid Date" }) }}'),
	'The field "a" is not a number that can be sent → It is -Infinity. Check the expression or the node that it comes from.':
		json('={{ ({ a: -1 / 0 }) }}'),
	[noDateIn('a[0]')]: json(`={{ ({ a: [${noDate}] }) }}`),
};

const changes = { resource: 'sync', operation: 'getChanges', outputAs: 'batch', progress: 'given' };
const sync = (more: object) => ({ ...changes, ...more });
const wholeCheckpoint = (shown: string) =>
	`'Checkpoint' must be the whole checkpoint of an earlier run → It is ${shown}. Use the field "checkpoint" of the last batch or file, or leave it empty to start.`;

const ofSync: Refused = {
	"Set 'Output As' to Batch, NDJSON Files or CSV Files → With 'Progress: Use My Own Checkpoint', the new checkpoint belongs to all records of the run together, so Items have no place for it. To get items, add a Split Out node after Batch.":
		sync({ outputAs: 'items' }),
	[wholeCheckpoint('"eyJhIjox"')]: sync({ checkpoint: 'eyJhIjox' }),
	[wholeCheckpoint('5')]: sync({ checkpoint: '={{ 5 }}' }),
	[mustBe(atLeast1, 'Max Records per Run', '0')]: sync({ options: { maxRecords: 0 } }),
	[mustBeOneOf('batch, csv, items, ndjson', 'Output As', '"pages"')]: sync(as('pages')),
	[mustBeOneOf('confirmed, given', 'Progress', '"mine"')]: sync({ progress: '={{ "mine" }}' }),
};

describe.each([
	['a list', ofLists],
	['files', ofFiles],
	['a call', ofCalls],
	['Sync', ofSync],
])('bad parameters of %s are refused before any request', (_what, cases) => {
	test.each(Object.entries(cases))('%s', async (says, parameters) => {
		const { status, error } = await bench.run(parameters);
		expect(status).toBe('error');
		expect(`${error?.message} → ${error?.description}`).toBe(says);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(bench.sandbox.requests, 'requests').toHaveLength(0);
	});
});

test.each([
	{ chosen: { page: 2 }, sent: { sort: 'updated_at', limit: '1' } },
	{ chosen: { pagination: 'page', startCursor: 'abc' }, sent: { page: '1', limit: '1' } },
])('an option of the other pagination is not sent: %j', async ({ chosen, sent }) => {
	await bench.run({ ...options(chosen), limit: 1 });
	expect(bench.sandbox.requests.map(({ query }) => query)).toEqual([sent]);
});

test('data in thousands of levels is refused before any request', async () => {
	const deep = `${'{"a":'.repeat(50_000)}9007199254740993${'}'.repeat(50_000)}`;
	const deepObject = `={{ JSON.parse('{"a":'.repeat(50_000) + 1 + '}'.repeat(50_000)) }}`;
	for (const data of [json(deep), typed('object', deep), json(deepObject)]) {
		expect((await bench.run(data)).error?.message).toBe('The data is nested too deeply');
	}
	expect(bench.sandbox.requests).toHaveLength(0);
});
