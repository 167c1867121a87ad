/** The example that copies changes into PostgreSQL, with a real one, loads that fail, and an n8n that is killed. */
import path from 'node:path';
import { execa } from 'execa';
import getPort from 'get-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdir } from 'node:fs/promises';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import {
	importCredentials,
	importWorkflows,
	readExamples,
	sandboxCredentialFile,
} from '../n8n/imports.mts';
import { createTestRuntime } from '../n8n/n8n-under-test.mts';
import { itemsOf, signIn } from '../n8n/rest.mts';
import type { Execution, RestClient } from '../n8n/rest.mts';
import type { Runtime } from '../n8n/runtime.mts';
import { startServer } from '../n8n/server.mts';
import type { N8nServer } from '../n8n/server.mts';
import type { Background } from './background.mts';
import { findPrograms } from './debian.mts';
import { databaseUser, startPostgres } from './services.mts';

const rounds = 20;
const name = 'changes-into-postgresql';
const programs = findPrograms();

let sandbox: Sandbox;
let postgres: Background;
let port: number;
let runtime: Runtime;
let server: N8nServer;
let client: RestClient;
let workflowId: string;

async function boot(): Promise<void> {
	server = await startServer(runtime, {});
	client = await signIn(server.url, runtime);
}

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 2_503 });
	runtime = await createTestRuntime('sync-postgres');
	port = await getPort();
	await mkdir(runtime.userFolder, { recursive: true });
	postgres = await startPostgres(programs, runtime.userFolder, port);
	const data = { host: '127.0.0.1', port, database: 'postgres', user: databaseUser, password: 'x' };
	await importCredentials(runtime, [
		sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Regular),
		{ id: 'postgresDestination', name: 'PostgreSQL', type: 'postgres', data },
	]);
	const example = (await readExamples())[name];
	workflowId = example.id;
	await importWorkflows(runtime, [example]);
	await boot();
});

afterAll(async () => {
	await server?.stop();
	await postgres?.stop();
	await sandbox?.stop();
});

async function sql(query: string): Promise<string> {
	const psql = path.join(programs.postgresFolder, 'psql');
	const options = ['-h', '127.0.0.1', '-p', String(port), '-U', databaseUser, '-d', 'postgres'];
	return (await execa(psql, [...options, '-At', '-c', query])).stdout;
}

async function run(): Promise<Execution> {
	return await client.runWorkflow(workflowId, 'Every hour');
}

/** What the table should hold: each company as it is now; and what it holds. */
async function compare(): Promise<void> {
	const expected = [...sandbox.records('company')]
		.map(({ id, updated_at }) => `${String(id)}|${String(updated_at)}`)
		.toSorted();
	const rows = await sql("SELECT id, record->>'updated_at' FROM workspace_companies");
	expect(rows.split('\n').toSorted()).toEqual(expected);
}

/** Every version that an execution has read, by its runs of "Get changes". */
function versionsOf(execution: Execution): string[] {
	return (execution.runs['Get changes'] ?? []).flatMap(({ data }) =>
		(data?.main?.[0] ?? []).flatMap(({ json }) =>
			(json.records as Array<Record<string, unknown>>).map(
				({ id, updated_at }) => `${String(id)}|${String(updated_at)}`,
			),
		),
	);
}

test('the first run copies everything, a thousand at a time', async () => {
	const execution = await run();
	expect(execution.error?.message).toBeUndefined();
	expect(execution.runs['Get changes']).toHaveLength(3);
	expect(itemsOf(execution, 'Confirm changes').length).toBeGreaterThan(0);
	await compare();
	const quiet = await run();
	expect(versionsOf(quiet)).toEqual([]);
});

test(
	`${rounds} rounds of changes with failing loads and two kills: the table is what the service holds`,
	{ timeout: 600_000 },
	async () => {
		const confirmed = new Set<string>();
		const ids = [...sandbox.records('company')].map(({ id }) => String(id));
		let failed = 0;
		for (let round = 0; round < rounds; round++) {
			const place = (round * 131) % ids.length;
			sandbox.update('company', ids.slice(place, place + 7 + round * 3));
			ids.push(...sandbox.create('company', round % 4));
			const isDown = round % 3 === 1;
			if (isDown)
				await sql('ALTER TABLE workspace_companies ADD CONSTRAINT down CHECK (false) NOT VALID');
			if (round === 6 || round === 14) {
				// While the run is under way, wherever it is.
				const running = run().catch(() => undefined);
				await new Promise((resolve) => setTimeout(resolve, 150 + round * 40));
				process.kill(-server.processId, 'SIGKILL');
				await server.ended;
				await running;
				await boot();
				continue;
			}
			const execution = await run();
			const versions = versionsOf(execution);
			for (const version of versions) {
				expect(confirmed.has(version), `${version} was confirmed and came again`).toBe(false);
			}
			if (isDown) {
				expect(execution.error?.message).toContain('down');
				failed++;
				await sql('ALTER TABLE workspace_companies DROP CONSTRAINT down');
			} else {
				expect(execution.error?.message).toBeUndefined();
				for (const version of versions) confirmed.add(version);
				await compare();
			}
		}
		expect(failed).toBeGreaterThan(4);
		const last = await run();
		expect(last.error?.message).toBeUndefined();
		await compare();
	},
);
