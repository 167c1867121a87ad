/** The examples of Sync that need no database: a sub-workflow for each batch, files on disk, files in S3. */
import { once } from 'node:events';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newWorkflowId, readExamples } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { useLab } from './lab.mts';
import { stateFolder } from './paths.mts';
import { itemsOf } from './rest.mts';
import {
	expectFilesToBeTheService,
	recordsIn,
	s3Credential,
	withDestination,
} from './sync-examples.mts';
import { changed } from './workflows.mts';

const companies = 1_203;
const bucket = 'workspace-data';
const folder = path.join(stateFolder, 'tests/sync-examples-files');
const diskFolder = path.join(folder, 'disk');
const s3Folder = path.join(folder, 's3');

let s3: S3rver;
let s3Port: number;
let destination: Server;
/** The ids that reached the destination of the batches, batch by batch, and how many of them it still takes. */
let taken: string[][] = [];
let takes = Infinity;
let workflows: Record<'batches' | 'published' | 'disk' | 's3' | 's3Refused', WorkflowFile>;

beforeAll(async () => {
	await rm(folder, { recursive: true, force: true });
	await mkdir(diskFolder, { recursive: true });
	destination = createServer((request, response) => {
		void request.toArray().then((chunks) => {
			response.statusCode = taken.length < takes ? 200 : 400;
			if (response.statusCode === 200) {
				taken.push(JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as string[]);
			}
			response.setHeader('content-type', 'application/json').end('{}');
		});
	}).listen(0, '127.0.0.1');
	await once(destination, 'listening');
	const url = `http://127.0.0.1:${(destination.address() as AddressInfo).port}`;
	s3 = new S3rver({
		address: '127.0.0.1',
		port: 0,
		directory: s3Folder,
		silent: true,
		configureBuckets: [{ name: bucket }],
	});
	({ port: s3Port } = await s3.run());
	const examples = await readExamples(newWorkflowId);
	const batches = withDestination(examples['changes-batch-by-batch'], url);
	workflows = {
		batches,
		published: {
			...changed(batches, 'Every hour', ({ parameters }) => {
				parameters.rule = { interval: [{ field: 'seconds', secondsInterval: 10 }] };
			}),
			id: newWorkflowId(),
		},
		disk: changed(examples['changes-into-files'], 'Write the files', ({ parameters }) => {
			parameters.fileName = `=${diskFolder}/{{ $json.fileName }}`;
		}),
		s3: examples['changes-into-s3'],
		s3Refused: {
			...changed(examples['changes-into-s3'], 'Store the files', (node) => {
				Object.assign(node, { credentials: { s3: { id: 's3WrongSecret', name: 'S3' } } });
			}),
			id: newWorkflowId(),
		},
	};
});
afterAll(async () => {
	await s3?.close();
	destination?.close();
});

const lab = useLab({
	name: 'sync-examples',
	sandbox: { companies },
	key: 'v2Regular',
	credentials: () => [
		s3Credential('s3Destination', s3Port, 'S3RVER'),
		s3Credential('s3WrongSecret', s3Port, 'fake-wrong-secret'),
	],
	workflows: () => Object.values(workflows),
});

const attempt = async (workflow: WorkflowFile) => await lab.run(workflow, 'Every hour');
const run = async (workflow: WorkflowFile) => await lab.succeed(workflow, 'Every hour');

const allIds = () => [...lab.sandbox.records('company')].map(({ id }) => String(id)).toSorted();

describe('a sub-workflow for each batch', () => {
	beforeEach(() => {
		taken = [];
		takes = Infinity;
	});

	test('a batch that fails is not confirmed and comes again; those before it do not', async () => {
		takes = 1;
		const failed = await attempt(workflows.batches);
		expect(failed.status).toBe('error');
		expect(failed.runs['Hand over the batch']).toHaveLength(2);
		expect(failed.runs['Confirm changes']).toHaveLength(1);
		const [first = []] = taken;
		expect(first).toHaveLength(500);

		takes = Infinity;
		await run(workflows.batches);
		expect(taken.map(({ length }) => length)).toEqual([500, 500, companies - 1_000]);
		// Each company once, so none of the first batch twice.
		expect(taken.flat().toSorted()).toEqual(allIds());
	});

	test('each later run hands over what changed, and a quiet one nothing', async () => {
		const created = lab.sandbox.create('company', 3);
		takes = 0;
		expect((await attempt(workflows.batches)).status).toBe('error');
		takes = Infinity;
		await run(workflows.batches);
		expect(taken.map((ids) => ids.toSorted())).toEqual([created.toSorted()]);
		const quiet = await run(workflows.batches);
		expect(quiet.runs['Hand over the batch']).toBeUndefined();
		expect(taken).toHaveLength(1);
	});

	test(
		'published and started by its schedule, it finds its own lower row',
		{ timeout: 300_000 },
		async ({ onTestFinished }) => {
			onTestFinished(() => lab.client.deactivate(workflows.published.id));
			const expectAllTaken = async () =>
				await expect
					.poll(() => [...new Set(taken.flat())].toSorted(), { timeout: 120_000 })
					.toEqual(allIds());
			await lab.client.activate(workflows.published.id);
			await expectAllTaken();
			lab.sandbox.create('company', 2);
			await expectAllTaken();
		},
	);
});

describe('files on disk', () => {
	const filesOnDisk = async () =>
		(await readdir(diskFolder)).map((name) => path.join(diskFolder, name));

	test('the first run writes everything, the next what changed, a quiet one nothing', async () => {
		await run(workflows.disk);
		expect(await filesOnDisk()).toHaveLength(1);
		await expectFilesToBeTheService(lab.sandbox, await filesOnDisk());

		const ids = allIds();
		lab.sandbox.update('company', ids.slice(40, 60));
		lab.sandbox.create('company', 2);
		await run(workflows.disk);
		const files = await filesOnDisk();
		expect(files).toHaveLength(2);
		expect(await recordsIn(files.toSorted().slice(1))).toHaveProperty('size', 22);
		await expectFilesToBeTheService(lab.sandbox, files);

		await run(workflows.disk);
		expect(await filesOnDisk()).toEqual(files);
	});

	test('a folder that is not there confirms nothing, and the next run writes the same', async () => {
		const [first = ''] = allIds();
		lab.sandbox.update('company', [first]);
		await rename(diskFolder, `${diskFolder}-away`);
		const failed = await attempt(workflows.disk);
		expect(failed.status).toBe('error');
		expect(failed.runs['Confirm changes']).toBeUndefined();
		await rename(`${diskFolder}-away`, diskFolder);
		await run(workflows.disk);
		expect(await filesOnDisk()).toHaveLength(3);
		await expectFilesToBeTheService(lab.sandbox, await filesOnDisk());
	});
});

describe('files in S3', () => {
	/** What the S3 server keeps of its objects' contents. */
	async function storedObjects(): Promise<string[]> {
		const found = await readdir(path.join(s3Folder, bucket), { recursive: true });
		return found
			.filter((name) => name.endsWith('._S3rver_object'))
			.map((name) => path.join(s3Folder, bucket, name));
	}

	test('the first run stores everything, the next what changed, a quiet one nothing', async () => {
		await run(workflows.s3);
		const [first = '', ...others] = await storedObjects();
		expect(others).toEqual([]);
		expect(path.relative(s3Folder, first)).toMatch(
			/^workspace-data\/companies\/companies \d{4}-\d\d-\d\d \d{6} run \d+-0001\.ndjson\./,
		);
		await expectFilesToBeTheService(lab.sandbox, await storedObjects());

		const ids = allIds();
		lab.sandbox.update('company', ids.slice(70, 80));
		lab.sandbox.create('company', 1);
		await run(workflows.s3);
		const objects = await storedObjects();
		expect(objects).toHaveLength(2);
		expect(await recordsIn(objects.toSorted().slice(1))).toHaveProperty('size', 11);
		await expectFilesToBeTheService(lab.sandbox, objects);

		const quiet = await run(workflows.s3);
		expect(itemsOf(quiet, 'Get changes')).toEqual([]);
		expect(await storedObjects()).toEqual(objects);
	});

	test('storage that refuses the key gets nothing and confirms nothing', async () => {
		const before = await storedObjects();
		// The second reads all that the first has read.
		for (let attempts = 0; attempts < 2; attempts++) {
			const refused = await attempt(workflows.s3Refused);
			expect(refused.status).toBe('error');
			expect(refused.error?.node?.name).toBe('Store the files');
			expect(itemsOf(refused, 'Get changes')[0]?.json.records).toBe(lab.sandbox.count('company'));
			expect(refused.runs['Confirm changes']).toBeUndefined();
		}
		expect(await storedObjects()).toEqual(before);
	});
});
