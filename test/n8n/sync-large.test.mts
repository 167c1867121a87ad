/** Tests the first run of Sync with a million records and little memory. */
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
import { itemsOf } from './rest.mts';
import { confirm, getChanges, runByWebhook, syncBy } from './sync-workflows.mts';

const companies = 1_000_000;
const pageSize = 1_000;
const runTimeoutMs = 900_000;

const read = getChanges({ outputAs: 'ndjson', options: { pagination: { values: { pageSize } } } });
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
	// Delete the user folder, which takes up half a gigabyte.
	if (n8n) await rm(path.join(n8n.runtime.userFolder, '.n8n'), { recursive: true, force: true });
});

test(
	`writes each of ${companies.toLocaleString('en-US')} records into a file once, with a heap limit of ${smallHeapMb} MB`,
	{ timeout: runTimeoutMs },
	async () => {
		await sandbox.takeRequestCount();
		const execution = await runByWebhook(n8n, workflow, runTimeoutMs);
		expect(execution.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
		// Besides the pages, the node sends one request to Who Am I and three to find the newest record.
		expect(await sandbox.takeRequestCount(), 'requests').toBeLessThanOrEqual(
			companies / pageSize + 6,
		);

		const ids = new Set<string>();
		let lines = 0;
		for (const { binary } of itemsOf(execution, 'Get Changes')) {
			const { body } = await n8n.client.readFile(binary?.data?.id ?? '');
			const file = Readable.fromWeb(body as ReadableStream);
			for await (const line of createInterface({ input: file })) {
				ids.add(/^\{"id":"([^"]+)"/.exec(line)?.[1] ?? line);
				lines++;
			}
		}
		expect(lines).toBe(companies);
		expect(ids.size).toBe(companies);
	},
);
