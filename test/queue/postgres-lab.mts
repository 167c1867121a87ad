import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import { execa } from 'execa';
import getPort from 'get-port';
import { expect } from 'vitest';
import { importCredentials, importWorkflows, sandboxCredentialFile } from '../n8n/imports.mts';
import type { WorkflowFile } from '../n8n/imports.mts';
import { createTestRuntime } from '../n8n/n8n-under-test.mts';
import { signIn } from '../n8n/rest.mts';
import type { RestClient } from '../n8n/rest.mts';
import { startServer } from '../n8n/server.mts';
import type { N8nServer } from '../n8n/server.mts';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { findPrograms } from './debian.mts';
import { databaseUser, startPostgres } from './services.mts';

/** A sandbox, a PostgreSQL for records, and an n8n with workflows that copy from one into the other. */
export interface PostgresLab {
	sandbox: Sandbox;
	server: N8nServer;
	client: RestClient;
	/** Runs a query and gives its rows as text, columns separated by `|`. */
	sql(query: string): Promise<string[]>;
	/** Ends n8n without warning and starts it again. */
	killN8n(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Starts everything; the workflows are not published.
 *
 * @param name of the test
 * @param companies how many the sandbox has
 * @param workflows to import; their PostgreSQL credential is that of the examples
 * @throws ExplainedError when a Debian package is missing or something does not start
 */
export async function startPostgresLab(
	name: string,
	companies: number,
	workflows: WorkflowFile[],
): Promise<PostgresLab> {
	const programs = findPrograms();
	const sandbox = await startSandbox({ companies });
	const runtime = await createTestRuntime(name);
	const port = await getPort();
	await mkdir(runtime.userFolder, { recursive: true });
	const postgres = await startPostgres(programs, runtime.userFolder, port);
	const data = { host: '127.0.0.1', port, database: 'postgres', user: databaseUser, password: 'x' };
	await importCredentials(runtime, [
		sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Regular),
		{ id: 'postgresDestination', name: 'PostgreSQL', type: 'postgres', data },
	]);
	await importWorkflows(runtime, workflows);
	const boot = async () => {
		const server = await startServer(runtime);
		return { server, client: await signIn(server.url, runtime) };
	};
	const psql = path.join(programs.postgresFolder, 'psql');
	const target = ['-h', '127.0.0.1', '-p', String(port), '-U', databaseUser, '-d', 'postgres'];
	const lab: PostgresLab = {
		sandbox,
		...(await boot()),
		sql: async (query) => {
			const { stdout } = await execa(psql, [...target, '-qAt', '-c', query]);
			return stdout.split('\n').filter((row) => row !== '');
		},
		killN8n: async () => {
			process.kill(-lab.server.processId, 'SIGKILL');
			await lab.server.ended;
			Object.assign(lab, await boot());
		},
		stop: async () => {
			await lab.server.stop();
			await postgres.stop();
			await sandbox.stop();
		},
	};
	return lab;
}

/** Every company that the service holds now, sorted: its id, its date, and a number beyond 2^53 where it has one. */
function versionsInService({ sandbox }: PostgresLab): string[] {
	return [...sandbox.records('company')]
		.map(({ id, updated_at, external_number }) =>
			[id, updated_at, external_number ?? ''].map(String).join('|'),
		)
		.toSorted();
}

/** The same of the table of the examples. */
async function versionsInTable({ sql }: PostgresLab): Promise<string[]> {
	const columns = "id, record->>'updated_at', record->>'external_number'";
	return (await sql(`SELECT ${columns} FROM workspace_companies`)).toSorted();
}

/** The table holds each company as it is now, and no other. */
export async function expectTableToBeTheService(lab: PostgresLab): Promise<void> {
	expect(await versionsInTable(lab)).toEqual(versionsInService(lab));
}
