/**
 * Tests the example of docs/from-a-spreadsheet.md through its form: the preview, the maximum number of calls, failed
 * rows, and repeated uploads.
 */
import { beforeAll, expect, test } from 'vitest';
import { newWorkflowId, readExamples } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { useLab } from './lab.mts';
import { fieldsOf, itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { domainsOf } from './service.mts';
import { newExecution } from './sync-workflows.mts';

let example: WorkflowFile;
beforeAll(async () => {
	example = (await readExamples(newWorkflowId))['enrich-a-spreadsheet'];
});

const lab = useLab({
	name: 'spreadsheet-example',
	sandbox: { companies: 10 },
	workflows: () => [example],
});

beforeAll(async () => await lab.client.activate(example.id));

/**
 * Returns a CSV file as Excel saves it, with a byte order mark. Cem's row has no domain, and Eve's row repeats Ana's
 * domain.
 * @param kind beginning of the domains. It differs between tests, because Keep Results would otherwise return results
 * of earlier tests.
 */
const csvOf = (kind: string): File => {
	const anasDomain = ` ${kind.toUpperCase()}-A.example `;
	const domains = ['a', 'b', 'c', 'd'].map((letter) => `${kind}-${letter}.example`);
	const [first, second, third, last] = domains;
	const rows = [
		`${first},Ana`,
		`${second},Bo`,
		',Cem',
		`${third},Dee`,
		`${anasDomain},Eve`,
		`${last},Flo`,
	];
	return new File([`\ufeff${['domain,owner', ...rows].join('\r\n')}\r\n`], 'Companies.CSV');
};

const address = () => `${lab.n8n.server.url}/form/enrich-a-spreadsheet`;

/** Submits the example's form, and waits until the execution has ended. */
async function upload(file: File, whatToDo: string, atMost: number): Promise<Execution> {
	const form = new FormData();
	form.set('field-0', file);
	form.set('field-1', whatToDo);
	form.set('field-2', String(atMost));
	const id = await newExecution(lab.client, example.id, 'webhook', async () => {
		expect((await fetch(address(), { method: 'POST', body: form })).status).toBe(200);
	});
	const execution = await lab.client.waitForExecution(id);
	expect(execution.error?.message).toBeUndefined();
	return execution;
}

const enrich = (file: File, atMost = 100) => upload(file, 'Enrich the companies', atMost);
const paid = () => domainsOf(lab.sandbox.calls.enrich).toSorted();
/** Returns the field `owner` of each failed row. */
const failedRows = (execution: Execution) =>
	fieldsOf(execution, 'Say why').map(({ owner }) => owner);

/** Returns the file that a node of the example has written. */
async function fileOf(execution: Execution, node: string): Promise<File> {
	const [{ binary }] = itemsOf(execution, node);
	const response = await lab.client.readFile(String(binary?.data.id));
	return new File([await response.blob()], String(binary?.data.fileName));
}

test('shows in the preview how many calls a run would send, and sends no call', async () => {
	const preview = await upload(csvOf('fake-baker'), 'Preview', 100);
	expect(fieldsOf(preview, 'What it would cost')).toMatchObject([{ wouldBeSent: 4, refused: 1 }]);
	expect(preview.runs['Enriched rows']).toBeUndefined();
	expect(lab.sandbox.requests).toEqual([]);
});

test('preselects Preview and a maximum of 10 calls in the form', async () => {
	const page = await (await fetch(address())).text();
	const inputs = [/<option value='Preview' selected>/, /id='field-2'[^>]*value="10"/];
	expect(inputs.map((input) => input.test(page))).toEqual([true, true]);
});

test.each(['Domain', 'Website', 'URL', ' url '])(
	'reads domains and web addresses from the column "%s"',
	async (column) => {
		const rows = ['https://www.Fake-Dyer.example/about', 'fake-dyer.example', ''];
		const csv = [`Company,${column}`, ...rows.map((row, index) => `${index},${row}`)].join('\r\n');
		const preview = await upload(new File([csv], 'companies.csv'), 'Preview', 10);
		expect(fieldsOf(preview, 'What it would cost')).toMatchObject([
			{
				wouldBeSent: 1,
				sharedDuplicates: 1,
				refusedItems: [{ count: 1, itemIndexes: [2] }],
				sample: { body: '{"domain":"fake-dyer.example"}' },
			},
		]);
	},
);

test('skips blank rows, rejects rows without a domain, and uses a second column if the first has no domain', async () => {
	const invalid = ['n/a', '-', 'none', '0', '1.5', 'Fake Miller', 'https://'];
	const rows = [
		'',
		...invalid.map((text) => `${text},`),
		'',
		'Info@Fake-Miller.example,',
		'n/a,https://fake-tailor.example:8080/a',
	];
	const csv = ['Domain,Website', ...rows].join('\r\n');
	const preview = await upload(new File([csv], 'companies.csv'), 'Preview', 10);
	const [summary] = fieldsOf(preview, 'What it would cost');
	expect(summary).toMatchObject({ wouldBeSent: 2, refused: invalid.length });
	expect(fieldsOf(preview, 'Find the domains').map(({ domain }) => domain)).toEqual([
		...invalid.map(() => ''),
		'fake-miller.example',
		'fake-tailor.example',
	]);
});

test('reports once in the preview that no column has domains, and lists the columns of the file', async () => {
	const csv = ['Company,Homepage', 'A,a.example', 'B,b.example', 'C,c.example'].join('\r\n');
	const preview = await upload(new File([csv], 'companies.csv'), 'Preview', 10);
	const [summary] = fieldsOf(preview, 'What it would cost');
	expect(summary).toMatchObject({ wouldBeSent: 0, refused: 3, refusedItems: [{ count: 3 }] });
	expect(summary.inputFields).toEqual(expect.arrayContaining(['Company', 'Homepage']));
	expect(summary.refusedItems).toHaveLength(1);
});

test('sends only as many calls as the form allows, and sends the remaining calls in the next run', async () => {
	const csv = csvOf('fake-brewer');
	const first = await enrich(csv, 2);
	expect(paid()).toEqual(['fake-brewer-a.example', 'fake-brewer-b.example']);
	expect(failedRows(first)).toEqual(['Cem', 'Dee', 'Flo']);

	lab.sandbox.clearRequests();
	expect(failedRows(await enrich(csv))).toEqual(['Cem']);
	expect(paid()).toEqual(['fake-brewer-c.example', 'fake-brewer-d.example']);
});

test('writes failed rows with the reason into an Excel file, and pays only for these rows in the next run', async () => {
	const csv = csvOf('fake-cooper');
	lab.sandbox.addFault({ path: '/v2/enrich', status: 404, times: 1, skip: 1 });
	const first = await enrich(csv);
	expect(paid()).toHaveLength(3);
	const failed = await fileOf(first, 'Failed rows');
	expect(failed.name).toBe('failed.xlsx');
	const [refused] = failedRows(first).filter((owner) => owner !== 'Cem');

	lab.sandbox.clearRequests();
	const second = await enrich(csv);
	expect(failedRows(second)).toEqual(['Cem']);
	expect(paid()).toHaveLength(1);
	expect(fieldsOf(second, 'Was it a preview?', 1).map(({ owner }) => owner)).toEqual([
		'Ana',
		'Bo',
		'Dee',
		'Eve',
		'Flo',
	]);

	// The example must accept its own workbooks as input: the failed rows and the results.
	lab.sandbox.clearRequests();
	const readFailed = await enrich(failed);
	const why = { 'what went wrong': expect.any(String), 'what to do': expect.any(String) };
	expect(fieldsOf(readFailed, 'Read the workbook')).toMatchObject(
		['Cem', refused].toSorted().map((owner) => ({ owner, ...why })),
	);
	const enriched = await enrich(await fileOf(second, 'Enriched rows'));
	expect(fieldsOf(enriched, 'Read the workbook')).toMatchObject(
		['Ana', 'Bo', 'Dee', 'Eve', 'Flo'].map((owner) => ({
			owner,
			'enrichment.employees': expect.any(Number),
		})),
	);
	expect(paid()).toEqual([]);
});
