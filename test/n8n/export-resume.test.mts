import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { readExamples, sandboxCredentialFile } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf, signIn } from './rest.mts';
import type { Execution } from './rest.mts';
import { startServer } from './server.mts';
import { startStorage } from './storage.mts';
import type { Storage } from './storage.mts';
import { waitUntil } from './trigger-live.mts';

const companies = 25_000;
const sliceSize = 2_500;
const pageSize = 250;
const triggerName = 'Every five minutes';
const exportNode = 'Export one slice';
const sendNode = 'Send the files where you keep them';
const messageNode = 'Say how far the export is';
const complete = /^The export is complete/;
const slowMs = 250;

let sandbox: Sandbox;
let storage: Storage;
let n8n: N8nUnderTest;
let example: WorkflowFile;
let sliced: WorkflowFile;
let killed = 0;
let executions = 0;

beforeAll(async () => {
	sandbox = await startSandbox({ companies });
	storage = await startStorage();
	example = (await readExamples())['export-in-slices'];
	sliced = smallSlices(example);
	n8n = await startN8nUnderTest({
		name: 'export-resume',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [example, sliced],
	});
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
	await storage?.app.close();
});

keepEvidenceOfFailures('export-resume', () => ({
	logFiles: n8n ? [n8n.server.logFile] : [],
	sandbox,
}));

/** The example with smaller slices, a table of its own, and an upload where its note asks for one. */
function smallSlices(original: WorkflowFile): WorkflowFile {
	const text = JSON.stringify(original).replaceAll('Slices of the company export', 'Under test');
	const copy = JSON.parse(text) as WorkflowFile;
	const nodeNamed = (name: string): WorkflowFile['nodes'][number] => {
		const found = copy.nodes.find((node) => node.name === name);
		if (!found) throw new Error(`The example has no node "${name}"`);
		return found;
	};
	const { parameters } = nodeNamed(exportNode);
	parameters.limit = sliceSize;
	// One retry and one second, so that an outage is over sooner.
	Object.assign(parameters.options as object, { pageSize, maxRetries: 1, maxWait: 10 });
	Object.assign(nodeNamed(sendNode), {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'PUT',
			url: `=${storage.address}/{{ $json.fileName }}`,
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'data',
			options: {},
		},
	});
	return { ...copy, id: 'exportResume', name: 'Small slices' };
}

/** Runs one slice to its end; what n8n has in its binary data must be what was sent. */
async function runSlice(): Promise<Execution> {
	executions++;
	const execution = await n8n.client.runWorkflow(sliced.id, triggerName);
	for (const [name, text] of await filesOf(execution)) {
		if (itemsOf(execution, sendNode).length > 0) expect(storage.files.get(name)).toBe(text);
	}
	return execution;
}

async function runSlices(howMany: number): Promise<void> {
	for (let slice = 0; slice < howMany; slice++) {
		const { status, error } = await runSlice();
		expect(status, error?.message).toBe('success');
	}
}

/** The files that an execution put out, by name, read from n8n as its editor does. */
async function filesOf(execution: Execution): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const { json, binary } of itemsOf(execution, exportNode)) {
		const response = await n8n.client.readFile(binary?.data.id ?? '');
		files.set(String(json.fileName), await response.text());
	}
	return files;
}

function messageOf(execution: Execution): string {
	return String(itemsOf(execution, messageNode)[0]?.json.message);
}

function idsIn(files: Map<string, string>): string[] {
	const lines = [...files.values()].flatMap((text) => text.split('\n').filter(Boolean));
	return lines.map((line) => String((JSON.parse(line) as { id: unknown }).id));
}

function idsInSandbox(): string[] {
	return [...sandbox.records('company')].map(({ id }) => String(id)).toSorted();
}

/** Starts a slice, waits until that is so, and kills n8n with all its processes; then starts n8n again. */
async function killDuringSlice(what: string, isSo: () => boolean): Promise<void> {
	const { executionId } = await n8n.client.request<{ executionId: string }>(
		'POST',
		`/workflows/${sliced.id}/run`,
		{ triggerToStartFrom: { name: triggerName } },
	);
	await waitUntil(what, isSo, 30_000);
	process.kill(-n8n.server.processId, 'SIGKILL');
	await n8n.server.ended;
	executions++;
	killed++;

	const server = await startServer(n8n.runtime);
	const client = await signIn(server.url, n8n.runtime);
	n8n = { ...n8n, server, client, stop: () => server.stop() };
	expect((await client.waitForExecution(executionId)).status).toBe('crashed');
}

/** True as soon as the slice under way is in its fifth page. */
function midway(): () => boolean {
	const before = sandbox.requests.length;
	return () => sandbox.requests.length >= before + 5;
}

test('as it is: everything in one slice, then it says so and exports nothing more', async () => {
	const first = await n8n.client.runWorkflow(example.id, triggerName);
	expect(first.status, first.error?.message).toBe('success');
	expect(idsIn(await filesOf(first)).toSorted()).toEqual(idsInSandbox());
	expect(messageOf(first)).toMatch(complete);
	expect(sandbox.requests).toHaveLength(companies / 1_000);

	const second = await n8n.client.runWorkflow(example.id, triggerName);
	expect(second.status, second.error?.message).toBe('success');
	expect(messageOf(second)).toMatch(complete);
	expect(sandbox.requests).toHaveLength(companies / 1_000);
});

test('a service that gives more than asked for: nothing is sent or noted, and the run says why', async () => {
	sandbox.setUnkind({ extraRecords: 30 });
	const execution = await runSlice();
	sandbox.setUnkind({});
	expect(execution.status).toBe('error');
	expect(execution.error?.message).toMatch(
		/^Slice 1 has no cursor to go on from.* gave 20 more companies than Limit asks for/,
	);
	expect(itemsOf(execution, messageNode)).toEqual([]);
	expect(storage.files.size).toBe(0);
});

test('each company once in all files together, whatever breaks', { timeout: 600_000 }, async () => {
	await runSlices(1);

	// n8n is killed in the middle of slice 2: nothing of it is kept, and the next run does it again.
	sandbox.setLatency(slowMs);
	await killDuringSlice('the fifth page', midway());
	sandbox.setLatency(0);
	expect(storage.files.size).toBe(1);
	await runSlices(1);
	expect(storage.files.size).toBe(2);

	// n8n is killed when slice 3 is kept but not yet noted: the next run replaces it.
	storage.isSilent = true;
	await killDuringSlice('the third file', () => storage.files.size === 3);
	storage.isSilent = false;
	const before = storage.files.get('companies-slice-00003-0001.ndjson');
	await runSlices(1);
	expect(storage.replaced).toBe(1);
	expect(storage.files.get('companies-slice-00003-0001.ndjson')).toBe(before);

	// The service answers 503 to everything after four pages of slice 4.
	sandbox.addFault({ skip: 4, times: Infinity, status: 503 });
	const broken = await runSlice();
	expect(broken.status).toBe('error');
	expect(broken.error?.message).toContain(
		`(HTTP 503). The ${4 * pageSize} companies that this run had read before are kept`,
	);
	expect(storage.files.size).toBe(4);
	const nothing = await runSlice();
	expect(nothing.status).toBe('error');
	expect(nothing.error?.message).toContain('The 0 companies');
	expect(storage.files.size).toBe(4);
	sandbox.clearFaults();
	await runSlices(1);

	// The service goes away in the middle of slice 6 and comes back.
	sandbox.setLatency(slowMs);
	const isMidway = midway();
	const interrupted = runSlice();
	await waitUntil('the fifth page', isMidway, 30_000);
	await sandbox.stop();
	expect((await interrupted).status).toBe('error');
	expect(storage.files.size).toBe(6);
	sandbox = await startSandbox({ companies, port: sandbox.port });

	// Companies change that were exported already, and some that were not.
	const ids = idsInSandbox();
	sandbox.update('company', [...ids.slice(0, 100), ...ids.slice(-100)]);

	// The service takes five requests a second, fewer than n8n sends.
	sandbox.setRateLimit(5);
	await runSlices(1);
	expect(sandbox.requests.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
	sandbox.setRateLimit(undefined);

	let last: Execution;
	do {
		last = await runSlice();
		expect(last.status, last.error?.message).toBe('success');
	} while (!complete.test(messageOf(last)) && executions < 30);

	const found = idsIn(storage.files);
	const distinct = new Set(found).size;
	console.log(
		`${companies} companies: ${found.length} records, ${distinct} different ids in ${storage.files.size} files of ${executions} executions; n8n killed ${killed} times, ${storage.replaced} file sent twice`,
	);
	expect(found).toHaveLength(companies);
	expect(found.toSorted()).toEqual(idsInSandbox());
});
