import path from 'node:path';
import { execa } from 'execa';
import getPort from 'get-port';
import { expect } from 'vitest';
import { sandboxCredentialFile } from '../n8n/imports.mts';
import { startN8nUnderTest } from '../n8n/n8n-under-test.mts';
import type { N8nUnderTest } from '../n8n/n8n-under-test.mts';
import { stateFolder } from '../n8n/paths.mts';
import type { RestClient } from '../n8n/rest.mts';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { findPrograms } from './debian.mts';
import { databaseUser, startPostgres } from './services.mts';

/** A sandbox, a PostgreSQL for records, and an n8n with workflows that copy from one into the other. */
export interface PostgresLab {
	sandbox: Sandbox;
	n8n: N8nUnderTest;
	client: RestClient;
	/** Stores one more workflow; its PostgreSQL credential is that of the examples. */
	store: N8nUnderTest['store'];
	/** Runs a query and gives its rows as text, columns separated by `|`. */
	sql(query: string): Promise<string[]>;
	/** Ends n8n without warning and starts it again. */
	killN8n(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Starts everything.
 *
 * @param companies how many the sandbox has
 * @throws ExplainedError when a Debian package is missing or something does not start
 */
export async function startPostgresLab(companies: number): Promise<PostgresLab> {
	const programs = findPrograms();
	const sandbox = await startSandbox({ companies });
	const port = await getPort();
	const folder = path.join(stateFolder, 'tests/postgres-server');
	const postgres = await startPostgres(programs, folder, port);
	const data = { host: '127.0.0.1', port, database: 'postgres', user: databaseUser, password: 'x' };
	const n8n = await startN8nUnderTest({
		name: 'postgres',
		credentials: [
			sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Regular),
			{ id: 'postgresDestination', name: 'PostgreSQL', type: 'postgres', data },
		],
	});
	const psql = path.join(programs.postgresFolder, 'psql');
	const target = ['-h', '127.0.0.1', '-p', String(port), '-U', databaseUser, '-d', 'postgres'];
	return {
		sandbox,
		n8n,
		get client() {
			return n8n.client;
		},
		sql: async (query) => {
			const { stdout } = await execa(psql, [...target, '-qAt', '-c', query]);
			return stdout.split('\n').filter((row) => row !== '');
		},
		store: n8n.store,
		killN8n: async () => {
			await n8n.kill();
			await n8n.startAgain();
		},
		stop: async () => {
			await n8n.stop();
			await postgres.stop();
			await sandbox.stop();
		},
	};
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
