/** A first run of a million records with little memory, and the thousand changes after it. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallHeapMb } from '../bench/options.mts';
import { startSandboxProcess } from '../bench/sandbox-process.mts';
import type { SandboxProcess } from '../bench/sandbox-process.mts';
import { sandboxCredentials } from '../sandbox/server.mts';
import { sandboxCredentialFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf, postJson } from './rest.mts';
import { confirm, getChanges, runByWebhook, syncBy } from './sync-workflows.mts';

const companies = 1_000_000;
const changes = 1_000;
const pageSize = 1_000;
const runTimeoutMs = 900_000;

const read = getChanges({ outputAs: 'ndjson', options: { pageSize } });
const workflow = syncBy('large', read, confirm);

let sandbox: SandboxProcess;
let n8n: N8nUnderTest;

beforeAll(async () => {
	sandbox = await startSandboxProcess(companies);
	n8n = await startN8nUnderTest({
		name: 'sync-large',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Regular)],
		workflows: [workflow],
		environment: { NODE_OPTIONS: `--max-old-space-size=${smallHeapMb}` },
	});
	await n8n.client.activate(workflow.id);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
	// Half a gigabyte that nobody looks at.
	if (n8n) await rm(path.join(n8n.runtime.userFolder, '.n8n'), { recursive: true, force: true });
});

/** Runs the workflow, and counts how often each id stands in its files. */
async function run(): Promise<{ times: Map<string, number>; lines: number; requests: number }> {
	await sandbox.takeRequestCount();
	const execution = await runByWebhook(n8n, workflow, runTimeoutMs);
	expect(execution.error?.message).toBeUndefined();
	expect(execution.status).toBe('success');
	const requests = await sandbox.takeRequestCount();
	const times = new Map<string, number>();
	let lines = 0;
	for (const { json, binary } of itemsOf(execution, 'Get Changes')) {
		const { body } = await n8n.client.readFile(binary?.data?.id ?? '');
		let linesOfFile = 0;
		for await (const line of createInterface({ input: Readable.fromWeb(body as ReadableStream) })) {
			const id = /^\{"id":"([^"]+)"/.exec(line)?.[1] ?? line;
			times.set(id, (times.get(id) ?? 0) + 1);
			linesOfFile++;
		}
		expect(linesOfFile).toBe(json.records);
		lines += linesOfFile;
	}
	return { times, lines, requests };
}

test(
	`${companies.toLocaleString('en-US')} records in files, each once, with a heap of ${smallHeapMb} MB; then the changes alone`,
	{ timeout: runTimeoutMs },
	async () => {
		const first = await run();
		expect(first.lines).toBe(companies);
		expect(first.times.size).toBe(companies);
		// Whoami, three to learn what is newest, and the pages.
		expect(first.requests).toBeLessThanOrEqual(companies / pageSize + 6);

		// Spread over all of them.
		const update = { objectType: 'company', count: changes };
		const response = await postJson(`${sandbox.url}/sandbox/update`, update);
		const { ids } = (await response.json()) as { ids: string[] };
		const second = await run();
		expect([...second.times.keys()].toSorted()).toEqual(ids.toSorted());
		expect(second.lines).toBe(changes);
		// Each page's first record is among them: reading begins a page before the one that is remembered.
		expect(second.requests).toBeLessThanOrEqual(changes / pageSize + 3);

		// The changes lie within the overlap, so they are read again, and give nothing.
		const quiet = await run();
		expect(quiet.lines).toBe(0);
		expect(quiet.requests).toBeLessThanOrEqual(changes / pageSize + 1);
	},
);
