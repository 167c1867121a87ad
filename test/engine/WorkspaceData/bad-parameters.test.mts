import { describe, expect, test } from 'vitest';
import { USUAL_PAGE_SIZE } from '../../../nodes/shared/lists/page-size.ts';
import { oneOf } from '../../../nodes/shared/errors/words.ts';
import { FILES } from '../../../nodes/WorkspaceData/export/file-options.ts';
import { oneCasePerOperation } from '../../samples.mts';
import { useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 10 });

describe('every operation', () => {
	test.each(oneCasePerOperation)(
		'rejects options that are out of range without sending a request: $title',
		async (sample) => {
			for (const [values, label, least] of [
				[{ maxRequestsPerMinute: -1 }, 'Requests per Minute', 0],
				[{ retryFor: -1 }, 'Retry For', 0],
				[{ timeout: 0 }, 'Timeout', 1],
			] as const) {
				const options = { requests: { values } };
				const run = await bench.run({ ...sample.parameters, options });
				expect(run.error?.message).toBe(`'${label}' must be a whole number of at least ${least}`);
				expect(run.error?.context).toMatchObject({ itemIndex: 0 });
			}
			expect(bench.sandbox.requests).toHaveLength(0);
		},
	);

	test.each(oneCasePerOperation)(
		'reports a missing required parameter without sending a request: $title',
		async ({ chosen, bare }) => {
			const run = await bench.run(chosen);
			if (bare === undefined) expect(run.error).toBeUndefined();
			else expect(run.error?.message).toMatch(bare);
			expect(bench.sandbox.requests).toHaveLength(bare === undefined ? 1 : 0);
		},
	);
});

/** Invalid parameters by the error that they cause, in the form "message → description". */
type Refused = Record<string, Record<string, unknown>>;

/**
 * Returns the error for an invalid value.
 * @param shown the value as the error shows it
 */
const mustBe = (what: string, label: string, shown: string) =>
	`'${label}' must be ${what} → Change '${label}'. It is ${shown} now.`;
type Named = Record<string, readonly [name: string, ...unknown[]]>;
const inOrder = (choices: Named) =>
	Object.entries(choices).sort(([, [one]], [, [other]]) => one.localeCompare(other));
/** Returns the values that a parameter accepts, sorted by their names in the panel. */
const valuesOf = (choices: Named) =>
	inOrder(choices)
		.map(([value]) => value)
		.join(', ');
const namesOfFiles = oneOf(inOrder(FILES).map(([, [name]]) => name));
const trueOrFalse = 'true or false';
const atLeast1 = 'a whole number of at least 1';
const mustBeOneOf = (choices: string, label: string, shown: string) =>
	`'${label}' has a value that does not exist → Use one of: ${choices}. It is ${shown} now.`;
const not = (other: string, change: string) => (option: string, shown: string) =>
	`'${option}' does not work with '${other}' → ${shown === 'true' ? `Turn off '${option}'` : `Remove or change '${option}' (it is ${shown})`}, or change ${change}.`;
const notByNumber = not('Page Number', "'Page Number' to 0");
const notNewest = not('Sort Order: Newest First', "'Sort Order' to Oldest First");

const pages = (values: object) => ({ pagination: { values } });
const byNumber = (more: object = {}) => pages({ page: 1, ...more });
const newest = { sort: 'updated_at:desc' };
const list = (more: object) => ({ resource: 'company', operation: 'getAll', ...more });
const options = (chosen: object) => list({ options: chosen });
const returnAll = (value: string) => ({ returnAll: `={{ ${value} }}` });
const as = (outputAs: string) => ({ outputAs: `={{ "${outputAs}" }}` });
const ofType = (objectType: unknown) => ({ resource: 'record', operation: 'query', objectType });
const day = '2026-01-01T00:00:00';
const chooseType = 'Choose a type in this node, or enter its API name, for example company.';

const ofLists: Refused = {
	[mustBe(atLeast1, 'Limit', '0')]: list({ limit: 0 }),
	[mustBe(trueOrFalse, 'Return All', '"yes"')]: list(returnAll('"yes"')),
	[mustBe('a whole number of at least 0', 'Page Size', '-1')]: options(pages({ pageSize: -1 })),
	[mustBe('a whole number of at least 0', 'Page Number', '"a"')]: options(pages({ page: 'a' })),
	[not('Page Number: 0', "'Page Number' to 1")('Sort Key', '"name"')]: options(
		pages({ sortKey: 'name' }),
	),
	[`'Page Number' needs 'Page Size' → Set 'Page Size', for example to ${USUAL_PAGE_SIZE}: the beginning of page 2 depends on it.`]:
		options(byNumber({ page: 2 })),
	[notByNumber('Start Cursor', '"a"')]: options(byNumber({ startCursor: 'a' })),
	[notByNumber('Changed After', `"${day}"`)]: options({ ...byNumber(), changedAfter: day }),
	[notByNumber('Changed Before', `"${day}"`)]: options({ ...byNumber(), changedBefore: day }),
	[notByNumber('Sort Order', '"updated_at:desc"')]: options({ ...byNumber(), ...newest }),
	[mustBeOneOf('created_at:desc, created_at, updated_at:desc, updated_at', 'Sort Order', '"name"')]:
		options({ sort: '={{ "name" }}' }),
	[notNewest('Return All', 'true')]: list({ options: newest, ...returnAll('"true"') }),
	[notNewest('Output As', '"pages"')]: list({ options: newest, ...as('pages') }),
	[notNewest('Ignore Total', 'true')]: options({ ...newest, ...pages({ ignoreTotal: true }) }),
	[notNewest('Start Cursor', '"a"')]: options({
		...newest,
		...pages({ startCursor: 'a', pageSize: 9 }),
	}),
	[`'Start Cursor' needs 'Page Size' → Set 'Page Size' to the pageSize that stands next to the cursor: in meta.pagination of a page, in the item of a file, or in the details of an error. With another size, the cursor may lead to another page.`]:
		options(pages({ startCursor: 'a' })),
	[`'Changed Before' must be later than 'Changed After' → Change one of them: no record can be later than "${day}" and not later than "${day}".`]:
		options({ changedAfter: day, changedBefore: day }),
	[`'Changed After' must be a date and time → Write for example 2026-11-30T09:00, or remove 'Changed After'. It is "some day" now.`]:
		options({ changedAfter: 'some day' }),
	"The expression of 'Object Type' returns nothing → Fill in the value that it reads, such as an empty cell, or leave this item out, for example with n8n's Filter. If it reads the wrong field, correct the expression of 'Object Type'. It returns undefined.":
		ofType('={{ $json.a }}'),
	[`'Object Type' is empty → ${chooseType}`]: ofType('={{ " " }}'),
	"'Fields' must be names separated by commas, or a list of names → Write for example: name, domain, updated_at. It is 5 now.":
		options({ fields: '={{ 5 }}' }),
};

const files = (chosen: object, more: object = {}) =>
	list({ returnAll: true, outputAs: 'csv', options: chosen, ...more });

const ofFiles: Refused = {
	[mustBe(atLeast1, 'Records per File', '0')]: files({ recordsPerFile: 0 }),
	[`'File Name' must have at most 200 characters, and none of "*/:<>?\\| → It is "exports/a.csv". Write for example companies.csv; choose folders in the node that stores the file.`]:
		files({ fileName: 'exports/a.csv' }),
	[`'File Name' names an Excel workbook, which this node does not write → For a workbook, set 'Output As' to Items and add n8n's Convert to File node. For a CSV file that Excel opens, write for example companies.csv and set 'CSV Format' to CSV for Excel. It is "a.xlsx" now.`]:
		files({ fileName: 'a.xlsx' }),
	[mustBe('text', 'File Name', '[5]')]: files({ fileName: '={{ [5] }}' }),
	"'Records per File' must be at least 500, as 'Page Size' is → Raise 'Records per File' (it is 499), or set a smaller 'Page Size'.":
		files({ ...pages({ pageSize: 500 }), recordsPerFile: 499 }),
	[mustBe(trueOrFalse, 'Escape Formulas', '"no"')]: files({ escapeFormulas: '={{ "no" }}' }),
	[`'CSV Format' has a value that does not exist → Use one of: excel, excelDecimalComma, comma, tab. It is "," now.`]:
		files({}, { csvFormat: '={{ "," }}' }),
	[mustBeOneOf(valuesOf({ ...FILES, items: ['Items'], pages: ['Pages'] }), 'Output As', '"xlsx"')]:
		list(as('xlsx')),
};

const noDate = 'DateTime.fromISO("x")';
const enrich = { resource: 'company', operation: 'enrich' };
const whoAmI = { resource: 'workspace', operation: 'whoAmI' };
const calling = (chosen: object) => ({ ...enrich, options: chosen });
const json = (jsonBody: string) => ({ ...enrich, dataToSend: 'json', jsonBody });
const typed = (type: string, value: string) => ({
	...enrich,
	fields: { assignments: [{ name: 'a', type, value }] },
});
const nothingToSend = (example: string) =>
	`There is nothing to send → Add at least one field under 'Fields to Send', for example ${example}.`;
const noDateIn = (field: string) =>
	`The field "${field}" is not a date that can be sent → It is Invalid DateTime. Check the expression or the node that it comes from.`;

const ofCalls: Refused = {
	[mustBe(trueOrFalse, 'Preview Only', '"ja"')]: { ...enrich, previewOnly: '={{ "ja" }}' },
	[mustBe(`${atLeast1} and at most 100`, 'Parallel Requests', '101')]: calling({
		maxConcurrent: 101,
	}),
	[mustBe(atLeast1, 'Days', '0')]: calling({ cache: { values: { days: 0 } } }),
	[mustBe(trueOrFalse, 'Full API Response', '"data"')]: {
		...whoAmI,
		options: { fullResponse: '={{ "data" }}' },
	},
	"'Output Fields' does not work with 'Full API Response' → Remove or change 'Output Fields' (it is \"domain\"), or change 'Full API Response'.":
		calling({ outputFields: 'domain', fullResponse: true }),
	[nothingToSend('domain with example.com')]: enrich,
	[nothingToSend('title with Renewal 2027')]: { resource: 'deal', operation: 'score' },
	"[item 0] has no values to send → Remove blank rows before this node, for example with n8n's Filter. If the item is not blank, check the data to send: none of its fields has a value.":
		typed('string', '={{ $json.no }}'),
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
	`'Checkpoint' must be the whole checkpoint of an earlier run → It is ${shown}. Use the field checkpoint of the last batch or file, or leave it empty to start.`;

const ofSync: Refused = {
	[`Set 'Output As' to Batch, ${namesOfFiles} → With 'Progress: Use My Own Checkpoint', the checkpoint belongs to all records of the run together, so it cannot be returned with Items. To get items, add a Split Out node after Batch.`]:
		sync({ outputAs: 'items' }),
	[wholeCheckpoint('"eyJhIjox"')]: sync({ checkpoint: 'eyJhIjox' }),
	[wholeCheckpoint('5')]: sync({ checkpoint: '={{ 5 }}' }),
	[mustBe(atLeast1, 'Limit', '0')]: sync({ options: { maxRecords: 0 } }),
	[mustBeOneOf(valuesOf({ ...FILES, items: ['Items'], batch: ['Batch'] }), 'Output As', '"pages"')]:
		sync(as('pages')),
	[mustBeOneOf('confirmed, given', 'Progress', '"mine"')]: sync({ progress: '={{ "mine" }}' }),
};

describe.each([
	['a list', ofLists],
	['files', ofFiles],
	['a call', ofCalls],
	['Sync', ofSync],
])('invalid parameters of %s', (_what, cases) => {
	test.each(Object.entries(cases))('sends nothing and reports: %s', async (says, parameters) => {
		const { status, error } = await bench.run(parameters);
		expect(status).toBe('error');
		expect(`${error?.message} → ${error?.description}`).toBe(says);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(bench.sandbox.requests, 'requests').toHaveLength(0);
	});
});

test.each([
	{ resource: '={{ "company" }}', operation: 'getAll' },
	{ resource: 'company', operation: '={{ "getAll" }}' },
])('rejects an expression as Resource or Operation: %j', async (parameters) => {
	const { error } = await bench.run(parameters);
	expect(error?.message).toBe("'Resource' and 'Operation' cannot be expressions");
	expect(error?.description).toContain('Choose both in this node.');
	expect(bench.sandbox.requests).toHaveLength(0);
});

const CUSTOM = '__CUSTOM_API_CALL__';

test.each([
	{ resource: CUSTOM },
	{ resource: CUSTOM, operation: 'getAll' },
	{ resource: 'company', operation: CUSTOM },
])('advises to use the HTTP Request node for a custom API call: %j', async (chosen) => {
	const { error } = await bench.run(chosen);
	expect(error?.message).toBe('For a custom API call, use the HTTP Request node');
	expect(error?.description).toMatch(
		/^There, set 'Authentication' to Predefined Credential Type and 'Credential Type' to Workspace Data API\./,
	);
	expect(bench.sandbox.requests).toHaveLength(0);
});
