/**
 * The example of docs/from-a-spreadsheet.md, used through its form: preview, maximum number of calls, failed rows, and
 * failed rows again.
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
 * @param kind kind of businesses, different in each test because results of other tests are kept
 */
const csvOf = (kind: string): File => {
	const again = ` ${kind.toUpperCase()}-A.example `;
	const domains = ['a', 'b', 'c', 'd'].map((letter) => `${kind}-${letter}.example`);
	const [first, second, third, last] = domains;
	const rows = [
		`${first},Ana`,
		`${second},Bo`,
		',Cem',
		`${third},Dee`,
		`${again},Eve`,
		`${last},Flo`,
	];
	return new File([`\ufeff${['domain,owner', ...rows].join('\r\n')}\r\n`], 'Companies.CSV');
};

const address = () => `${lab.n8n.server.url}/form/enrich-a-spreadsheet`;

/** Submits the form and waits for the end of the execution. */
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
/** Returns the owners of the failed rows. */
const failedRows = (execution: Execution) =>
	fieldsOf(execution, 'Say why').map(({ owner }) => owner);

/** Returns the file that a node has made. */
async function fileOf(execution: Execution, node: string): Promise<File> {
	const [{ binary }] = itemsOf(execution, node);
	const response = await lab.client.readFile(String(binary?.data.id));
	return new File([await response.blob()], String(binary?.data.fileName));
}

test('the preview says how many calls would be sent, and sends none', async () => {
	const preview = await upload(csvOf('fake-baker'), 'Preview', 100);
	expect(fieldsOf(preview, 'What it would cost')).toMatchObject([{ wouldBeSent: 4, refused: 1 }]);
	expect(preview.runs['Enriched rows']).toBeUndefined();
	expect(lab.sandbox.requests).toEqual([]);
});

test('the form begins with the preview, and with 10 calls at most', async () => {
	const page = await (await fetch(address())).text();
	const inputs = [/<option value='Preview' selected>/, /id='field-2'[^>]*value="10"/];
	expect(inputs.map((input) => input.test(page))).toEqual([true, true]);
});

test.each(['Domain', 'Website', 'URL', ' url '])(
	'a column "%s" is understood, whatever form its addresses have',
	async (column) => {
		const rows = ['https://www.Fake-Dyer.example/about', 'fake-dyer.example', ''];
		const csv = [`Company,${column}`, ...rows.map((row, place) => `${place},${row}`)].join('\r\n');
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

test('cells that hold no domain are refused, blank rows left out, and the next column is used', async () => {
	const none = ['n/a', '-', 'none', '0', '1.5', 'Fake Miller', 'https://'];
	const rows = [
		'',
		...none.map((text) => `${text},`),
		'',
		'Info@Fake-Miller.example,',
		'n/a,https://fake-tailor.example:8080/a',
	];
	const csv = ['Domain,Website', ...rows].join('\r\n');
	const preview = await upload(new File([csv], 'companies.csv'), 'Preview', 10);
	const [told] = fieldsOf(preview, 'What it would cost');
	expect(told).toMatchObject({ wouldBeSent: 2, refused: none.length });
	expect(fieldsOf(preview, 'Find the domains').map(({ domain }) => domain)).toEqual([
		...none.map(() => ''),
		'fake-miller.example',
		'fake-tailor.example',
	]);
});

test('of a column with another name, the preview says once that the field is missing, and which columns there are', async () => {
	const csv = ['Company,Homepage', 'A,a.example', 'B,b.example', 'C,c.example'].join('\r\n');
	const preview = await upload(new File([csv], 'companies.csv'), 'Preview', 10);
	const [told] = fieldsOf(preview, 'What it would cost');
	expect(told).toMatchObject({ wouldBeSent: 0, refused: 3, refusedItems: [{ count: 3 }] });
	expect(told.inputFields).toEqual(expect.arrayContaining(['Company', 'Homepage']));
	expect(told.refusedItems).toHaveLength(1);
});

test('no more calls are sent than the form says; the rows that were not are named and paid for next time', async () => {
	const csv = csvOf('fake-brewer');
	const first = await enrich(csv, 2);
	expect(paid()).toEqual(['fake-brewer-a.example', 'fake-brewer-b.example']);
	expect(failedRows(first)).toEqual(['Cem', 'Dee', 'Flo']);

	lab.sandbox.clearRequests();
	expect(failedRows(await enrich(csv))).toEqual(['Cem']);
	expect(paid()).toEqual(['fake-brewer-c.example', 'fake-brewer-d.example']);
});

test('a row that failed is in a workbook with its columns and why; the same file again pays for it alone', async () => {
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

	// The example reads its own workbooks: the file of failed rows and the file of results.
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
