/** Tests the Sync examples that need no database: a sub-workflow for each batch, files in S3, and a data table. */
import { readFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseRecord } from '../sandbox/exact-json.mts';
import { dataTables } from './data-tables.mts';
import { startDestination } from './destination.mts';
import type { Destination } from './destination.mts';
import { newWorkflowId, readExamples } from './imports.mts';
import type { CredentialFile, WorkflowFile } from './imports.mts';
import { useLab } from './lab.mts';
import { stateFolder } from './paths.mts';
import { itemsOf } from './rest.mts';
import { idsHeld } from './service.mts';
import { changed } from './workflows.mts';

const companies = 1_203;
const bucket = 'workspace-data';
const folder = path.join(stateFolder, 'tests/sync-examples-files');
const stored = path.join(folder, bucket);

let s3: S3rver;
let s3Port: number;
let destination: Destination;
let workflows: Record<'batches' | 'published' | 'table' | 's3', WorkflowFile>;

beforeAll(async () => {
	await rm(folder, { recursive: true, force: true });
	destination = await startDestination();
	const configureBuckets = [{ name: bucket }];
	const listening = { address: '127.0.0.1', port: 0, silent: true };
	s3 = new S3rver({ ...listening, directory: folder, configureBuckets });
	({ port: s3Port } = await s3.run());
	const examples = await readExamples(newWorkflowId);
	// Replace the node for the user's own work with a request that sends the companies of a batch to the test's server.
	const batches = changed(examples['changes-batch-by-batch'], 'Work with each company', (node) => {
		const { url } = destination;
		const jsonBody = '={{ JSON.stringify($input.all().map(({ json }) => json.id)) }}';
		const parameters = { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody };
		const type = 'n8n-nodes-base.httpRequest';
		Object.assign(node, { type, typeVersion: 4.2, parameters, executeOnce: true });
	});
	const published = changed(batches, 'Every hour', ({ parameters }) => {
		parameters.rule = { interval: [{ field: 'seconds', secondsInterval: 10 }] };
	});
	workflows = {
		batches,
		published: { ...published, id: newWorkflowId() },
		table: examples['changes-into-a-data-table'],
		s3: examples['changes-into-s3'],
	};
});
afterAll(async () => {
	await s3?.close();
	destination?.close();
});

/** Returns a credential for n8n's S3 node. */
const s3Credential = (): CredentialFile => ({
	id: 's3Destination',
	name: 'S3',
	type: 's3',
	data: {
		endpoint: `http://127.0.0.1:${s3Port}`,
		region: 'us-east-1',
		accessKeyId: 'S3RVER',
		secretAccessKey: 'S3RVER',
		forcePathStyle: true,
	},
});

const lab = useLab({
	name: 'sync-examples',
	sandbox: { companies },
	key: 'v2Regular',
	credentials: () => [s3Credential()],
	workflows: () => Object.values(workflows),
});

const attempt = (workflow: WorkflowFile) => lab.run(workflow, 'Every hour');
const run = (workflow: WorkflowFile) => lab.succeed(workflow, 'Every hour');
const allIds = () => idsHeld(lab.sandbox).toSorted();

describe('the example changes-batch-by-batch', () => {
	/** Returns the ids that the test's server has received, by batch. */
	const loaded = () => destination.bodies.map((body) => JSON.parse(body) as string[]);

	beforeEach(() => {
		destination.bodies = [];
		destination.accepts = Infinity;
	});

	test('repeats a batch in the next run if its sub-workflow failed, but does not repeat confirmed batches', async () => {
		destination.accepts = 1;
		const failed = await attempt(workflows.batches);
		expect(failed.status).toBe('error');
		expect(failed.runs['Hand over the batch']).toHaveLength(2);
		expect(failed.runs['Confirm changes']).toHaveLength(1);
		expect(loaded()[0]).toHaveLength(500);

		destination.accepts = Infinity;
		await run(workflows.batches);
		expect(loaded().map(({ length }) => length)).toEqual([500, 500, companies - 1_000]);
		// Each company arrives once, so the first batch was not sent again.
		expect(loaded().flat().toSorted()).toEqual(allIds());
	});

	test('passes only new changes to the sub-workflow, and does not call it if nothing changed', async () => {
		const created = lab.sandbox.create('company', 3);
		destination.accepts = 0;
		expect((await attempt(workflows.batches)).status).toBe('error');
		destination.accepts = Infinity;
		await run(workflows.batches);
		expect(loaded().map((ids) => ids.toSorted())).toEqual([created.toSorted()]);
		const quiet = await run(workflows.batches);
		expect(quiet.runs['Hand over the batch']).toBeUndefined();
		expect(loaded()).toHaveLength(1);
	});

	test(
		'keeps its progress between scheduled runs of the published workflow',
		{ timeout: 300_000 },
		async ({ onTestFinished }) => {
			onTestFinished(() => lab.client.deactivate(workflows.published.id));
			const expectAllTaken = async () =>
				await expect
					.poll(() => [...new Set(loaded().flat())].toSorted(), { timeout: 120_000 })
					.toEqual(allIds());
			await lab.client.activate(workflows.published.id);
			await expectAllTaken();
			lab.sandbox.create('company', 2);
			await expectAllTaken();
		},
	);
});

/** Returns the paths of the files in S3, oldest first. Skips metadata files of the S3 server. */
async function files(): Promise<string[]> {
	const names = await readdir(stored, { recursive: true });
	return (
		names
			.filter((name) => name.endsWith('_S3rver_object'))
			// Compare numbers in file names by value. Files of the same second differ only in the number of the run,
			// and run 100 is newer than run 99.
			.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
			.map((name) => path.join(stored, name))
	);
}

/** Returns the newest version of each record in the files, by id. Numbers keep all their digits. */
async function recordsIn(paths: string[]): Promise<Map<unknown, unknown>> {
	const texts = await Promise.all(paths.map((file) => readFile(file, 'utf8')));
	const lines = texts.flatMap((text) => text.trimEnd().split('\n'));
	const records = lines.map((line) => parseRecord(line) as { id: unknown });
	return new Map(records.map((record) => [record.id, record]));
}

/** Checks that the newest version of each record in the files equals the record of the service. */
async function expectFilesToBeTheService(): Promise<void> {
	const held = new Map([...lab.sandbox.records('company')].map((record) => [record.id, record]));
	expect(await recordsIn(await files())).toEqual(held);
}

test('stores all companies in S3 in the first run, then only changes, and no file if nothing changed', async () => {
	await run(workflows.s3);
	const [first, ...others] = await files();
	expect(others).toEqual([]);
	expect(path.relative(stored, first)).toMatch(
		/^companies\/companies \d{4}-\d\d-\d\d \d{6} run \d+-0001\.ndjson\._S3rver_object$/,
	);
	await expectFilesToBeTheService();

	lab.sandbox.update('company', allIds().slice(40, 60));
	lab.sandbox.create('company', 2);
	await run(workflows.s3);
	const both = await files();
	expect(both).toHaveLength(2);
	expect(await recordsIn(both.slice(1))).toHaveProperty('size', 22);
	await expectFilesToBeTheService();

	const quiet = await run(workflows.s3);
	expect(itemsOf(quiet, 'Get changes')).toEqual([]);
	expect(await files()).toEqual(both);
});

test('confirms no change if S3 cannot store the files, and stores these changes in the next run', async () => {
	lab.sandbox.update('company', allIds().slice(0, 1));
	await rename(stored, `${stored}-away`);
	const failed = await attempt(workflows.s3);
	expect(failed.status).toBe('error');
	expect(failed.runs['Confirm changes']).toBeUndefined();
	await rename(`${stored}-away`, stored);
	await run(workflows.s3);
	expect(await files()).toHaveLength(3);
	await expectFilesToBeTheService();
});

describe('the example changes-into-a-data-table', () => {
	/** Returns name, domain and date of each row in the data table, by the id of the company. */
	async function rows(): Promise<Map<unknown, unknown>> {
		const table = (await dataTables(lab.client)).find(({ name }) => name === 'Workspace companies');
		type Row = Record<'company_id' | 'name' | 'domain' | 'updated_at', unknown>;
		const data: Row[] = [];
		// n8n returns at most 250 rows per request.
		for (let count = -1; count < data.length; ) {
			count = data.length;
			const route = `${table?.route}/rows?take=250&skip=${count}`;
			data.push(...(await lab.client.request<{ data: Row[] }>('GET', route)).data);
		}
		expect(new Set(data.map((row) => row.company_id)).size).toBe(data.length);
		return new Map(data.map((row) => [row.company_id, [row.name, row.domain, row.updated_at]]));
	}
	const held = () =>
		new Map(
			[...lab.sandbox.records('company')].map((record) => [
				record.id,
				[record.name, record.domain, record.updated_at],
			]),
		);

	// Use a long timeout, because n8n writes the 1,203 rows one by one.
	const timeout = 300_000;
	test(
		'keeps one row with the current version of each company, and writes no row if nothing changed',
		{ timeout },
		async () => {
			await run(workflows.table);
			expect(await rows()).toEqual(held());

			lab.sandbox.update('company', allIds().slice(7, 17));
			lab.sandbox.create('company', 2);
			const second = await run(workflows.table);
			expect(itemsOf(second, 'Write the rows')).toHaveLength(12);
			expect(await rows()).toEqual(held());

			const quiet = await run(workflows.table);
			expect(quiet.runs['Write the rows']).toBeUndefined();
		},
	);
});
