import path from 'node:path';
import { execa } from 'execa';
import getPort from 'get-port';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Background } from '../n8n/background.mts';
import { useOwnN8n } from '../n8n/lab.mts';
import { stateFolder } from '../n8n/paths.mts';
import { findPrograms } from './debian.mts';
import { databaseUser, startPostgres } from './services.mts';

/**
 * A sandbox (the simulated service), a PostgreSQL, and an n8n whose workflows copy records from the sandbox into
 * PostgreSQL.
 */
export type PostgresLab = ReturnType<typeof usePostgresLab>;

/**
 * Registers the hooks of a test file that writes into PostgreSQL.
 * @throws ExplainedError if a Debian package is missing
 */
export function usePostgresLab(companies: number) {
	const programs = findPrograms();
	const psql = path.join(programs.postgresFolder, 'psql');
	const host = '127.0.0.1';
	let port: number;
	let postgres: Background;

	beforeAll(async () => {
		port = await getPort();
		postgres = await startPostgres(programs, path.join(stateFolder, 'tests/postgres'), port);
	});
	afterAll(async () => await postgres?.stop());

	/** The n8n of the tests. It has the PostgreSQL credential that the examples use. */
	const lab = useOwnN8n({
		name: 'postgres-n8n',
		sandbox: { companies },
		key: 'v2Regular',
		credentials: () => {
			const data = { host, port, database: 'postgres', user: databaseUser, password: 'x' };
			return [{ id: 'postgresDestination', name: 'PostgreSQL', type: 'postgres', data }];
		},
	});
	return Object.assign(lab, {
		/** Runs an SQL query. Returns its rows as text, with columns separated by `|`. */
		sql: async (query: string): Promise<string[]> => {
			const target = ['-h', host, '-p', String(port), '-U', databaseUser, '-d', 'postgres'];
			const { stdout } = await execa(psql, [...target, '-qAt', '-c', query]);
			return stdout.split('\n').filter((row) => row !== '');
		},
	});
}

/** Values that the table must hold for a company whose id and name contain text that PostgreSQL rejects. */
export const awkward = {
	id: 'cmp_\ufffd',
	name: 'A\ufffdB \ufffd C\ufffd \u{1f600}\u{1f600} \\u0000 \\\ufffd',
	externalNumber: '9007199254740993',
};

/** Makes the sandbox return only the company `awkward` to the next list request. */
export function serveAwkward({ sandbox }: Pick<PostgresLab, 'sandbox'>): void {
	const name = String.raw`A\u0000B \ud83d C\uDE00 \ud83d\ude00😀 \\u0000 \\\u0000`;
	const record = String.raw`{"id":"cmp_\u0000","name":"${name}","external_number":${awkward.externalNumber},"updated_at":"2025-10-01T08:00:00.000Z"}`;
	sandbox.addFault({
		path: '/v2/public/records/query',
		status: 200,
		body: `{"success":true,"data":{"items":[${record}]},"meta":{"ctx_id":"ctx_awkward","pagination":{"page":1,"page_size":100,"total":1}}}`,
	});
}

/**
 * Expects that the table holds exactly the companies of the service, each in its current version. Compares ids, dates
 * and numbers above 2^53.
 */
export async function expectTableToBeTheService({ sandbox, sql }: PostgresLab): Promise<void> {
	const columns = "id, record->>'updated_at', record->>'external_number'";
	const held = await sql(`SELECT ${columns} FROM workspace_companies`);
	const expected = [...sandbox.records('company')].map(({ id, updated_at, external_number }) =>
		[id, updated_at, external_number ?? ''].map(String).join('|'),
	);
	expect(held.toSorted()).toEqual(expected.toSorted());
}
