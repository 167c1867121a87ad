import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExamples } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';
import { waitUntil } from './poll.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { idsHeld } from './service.mts';
import { startStorage } from './storage.mts';
import type { Storage } from './storage.mts';
import { changed } from './workflows.mts';

const companies = 25_000;
const pageSize = 250;
const triggerName = 'Every five minutes';
const exportNode = 'Export one slice';
const sendNode = 'Send the files where you keep them';
const messageNode = 'Say how far the export is';
const complete = /^The export is complete/;

let storage: Storage;
let example: WorkflowFile;
let sliced: WorkflowFile;

beforeAll(async () => void (storage = await startStorage()));
afterAll(async () => await storage?.app.close());

const lab = useOwnN8n({
	name: 'export-resume',
	sandbox: { companies },
	workflows: async () => {
		example = (await readExamples())['export-in-slices'];
		return [example, (sliced = smallSlices(example))];
	},
});

/**
 * Returns the example export-in-slices with smaller slices, its own data table, and an upload to the test's storage.
 */
function smallSlices(original: WorkflowFile): WorkflowFile {
	const text = JSON.stringify(original).replaceAll('Slices of the company export', 'Under test');
	const smaller = changed(JSON.parse(text) as WorkflowFile, exportNode, ({ parameters }) => {
		parameters.limit = 2_500;
		// Retry for at most ten seconds, so that the slice fails quickly in an outage.
		const options = parameters.options as { pagination: { values: object } };
		Object.assign(options.pagination.values, { pageSize });
		Object.assign(options, { requests: { values: { retryFor: 10 } } });
	});
	const copy = changed(smaller, sendNode, (node) => {
		const parameters = {
			method: 'PUT',
			url: `=${storage.address}/{{ $json.fileName }}`,
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'data',
			options: {},
		};
		Object.assign(node, { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters });
	});
	return { ...copy, id: 'exportResume', name: 'Small slices' };
}

/**
 * Downloads the exported files of an execution from n8n, as the editor does. Returns the text of each file by its name.
 */
async function filesOf(execution: Execution): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const { json, binary } of itemsOf(execution, exportNode)) {
		const response = await lab.client.readFile(binary?.data.id ?? '');
		files.set(String(json.fileName), await response.text());
	}
	return files;
}

/** Runs one slice of the export. Checks that the storage received each file unchanged. */
async function runSlice(): Promise<Execution> {
	const execution = await lab.run(sliced, triggerName);
	if (itemsOf(execution, sendNode).length === 0) return execution;
	for (const [name, text] of await filesOf(execution)) expect(storage.files.get(name)).toBe(text);
	return execution;
}

/** Runs one slice of the export, which must succeed. Returns the message about the progress of the export. */
async function succeedSlice(): Promise<string> {
	const execution = await runSlice();
	expect(execution.error?.message).toBeUndefined();
	return messageOf(execution);
}

const messageOf = (execution: Execution): string =>
	String(itemsOf(execution, messageNode)[0]?.json.message);

const idsIn = (files: Map<string, string>): string[] =>
	[...files.values()].flatMap((text) => text.match(/(?<=^\{"id":")[^"]+/gm) ?? []).toSorted();

const idsInSandbox = (): string[] => idsHeld(lab.sandbox).toSorted();

/** Starts a slice of the export, waits until a condition holds, kills n8n with all its processes, and restarts n8n. */
async function killDuringSlice(what: string, isSo: () => boolean): Promise<void> {
	const executionId = await lab.client.startWorkflow(sliced.id, triggerName);
	await waitUntil(what, isSo, 30_000);
	await lab.n8n.kill();
	await lab.n8n.startAgain();
	expect((await lab.client.waitForExecution(executionId)).status).toBe('crashed');
}

/** Slows the service down. Returns a function that checks whether the running slice has requested five pages. */
function midway(): () => boolean {
	lab.sandbox.setLatency(250);
	const before = lab.sandbox.requests.length;
	return () => lab.sandbox.requests.length >= before + 5;
}

test('exports all companies in one slice, reports that the export is complete, and then exports nothing more', async () => {
	const first = await lab.succeed(example, triggerName);
	expect(idsIn(await filesOf(first))).toEqual(idsInSandbox());
	expect(messageOf(first)).toMatch(complete);
	expect(lab.sandbox.requests).toHaveLength(companies / 1_000);

	expect(messageOf(await lab.succeed(example, triggerName))).toMatch(complete);
	expect(lab.sandbox.requests).toHaveLength(companies / 1_000);
});

test('stops a sliced export and stores no progress if the service returns more records than requested', async () => {
	lab.sandbox.setQuirks({ extraRecords: 30 });
	const execution = await runSlice();
	lab.sandbox.setQuirks({});
	expect(execution.error?.message).toMatch(
		/^Slice 1 has no cursor to go on from.* gave 20 more companies than Limit asks for/,
	);
	expect(itemsOf(execution, messageNode)).toEqual([]);
	expect(storage.files.size).toBe(0);
});

test(
	'exports each company exactly once across all files, even if n8n is killed twice and the service fails',
	{ timeout: 600_000 },
	async () => {
		await succeedSlice();

		// Kill n8n in the middle of slice 2. No file of slice 2 is stored, so the next run repeats slice 2.
		await killDuringSlice('the fifth page', midway());
		lab.sandbox.setLatency(0);
		expect(storage.files.size).toBe(1);
		await succeedSlice();
		expect(storage.files.size).toBe(2);

		// Kill n8n after the storage has received slice 3, but before n8n has stored the progress. The next run
		// replaces the file of slice 3.
		storage.isSilent = true;
		await killDuringSlice('the third file', () => storage.files.size === 3);
		storage.isSilent = false;
		const before = storage.files.get('companies-slice-00003-0001.ndjson');
		await succeedSlice();
		expect(storage.replaced).toBe(1);
		expect(storage.files.get('companies-slice-00003-0001.ndjson')).toBe(before);

		// After four pages of slice 4, respond to every request with 503.
		lab.sandbox.addFault({ skip: 4, times: Infinity, status: 503 });
		expect((await runSlice()).error?.message).toContain(
			`(HTTP 503). The ${4 * pageSize} companies that this run had read before are kept`,
		);
		expect((await runSlice()).error?.message).toContain('The 0 companies');
		expect(storage.files.size).toBe(4);
		lab.sandbox.clearFaults();
		await succeedSlice();

		// Change some companies that were exported already, and some that were not.
		const ids = idsInSandbox();
		lab.sandbox.update('company', [...ids.slice(0, 100), ...ids.slice(-100)]);

		for (let slices = 0; slices < 20; slices++) {
			if (complete.test(await succeedSlice())) break;
		}
		expect(idsIn(storage.files)).toEqual(idsInSandbox());
	},
);
