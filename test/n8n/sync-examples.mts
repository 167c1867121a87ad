/** What the tests of Sync's examples put in the place of a person's own, and how they read the files. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { parseRecord } from '../sandbox/exact-json.mts';
import type { Sandbox } from '../sandbox/types.mts';
import type { CredentialFile, WorkflowFile } from './imports.mts';
import { changed } from './workflows.mts';

/** Sends the companies of a batch to the destination, in the place where a person's own nodes go. */
export function withDestination(workflow: WorkflowFile, url: string): WorkflowFile {
	return changed(workflow, 'Work with each company', (node) => {
		const body = '={{ JSON.stringify($input.all().map(({ json }) => json.id)) }}';
		const parameters = { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody: body };
		const type = 'n8n-nodes-base.httpRequest';
		Object.assign(node, { type, typeVersion: 4.2, parameters, executeOnce: true });
	});
}

/** A credential of n8n's S3 node. */
export const s3Credential = (
	id: string,
	port: number,
	secretAccessKey: string,
): CredentialFile => ({
	id,
	name: 'S3',
	type: 's3',
	data: {
		endpoint: `http://127.0.0.1:${port}`,
		region: 'us-east-1',
		accessKeyId: 'S3RVER',
		secretAccessKey,
		forcePathStyle: true,
	},
});

/** The newest version of each record in files, read in the order of their names, to the last digit. */
export async function recordsIn(files: string[]): Promise<Map<string, Record<string, unknown>>> {
	const records = new Map<string, Record<string, unknown>>();
	for (const file of files.toSorted()) {
		for (const line of (await readFile(file, 'utf8')).split('\n')) {
			if (line === '') continue;
			const record = parseRecord(line) as Record<string, unknown>;
			records.set(String(record.id), record);
		}
	}
	return records;
}

/** The newest version of each record in the files is what the service holds now. */
export async function expectFilesToBeTheService(sandbox: Sandbox, files: string[]): Promise<void> {
	const records = await recordsIn(files);
	expect([...records.values()].toSorted(byId)).toEqual(
		[...sandbox.records('company')].toSorted(byId),
	);
}

const byId = (a: Record<string, unknown>, b: Record<string, unknown>): number =>
	String(a.id) < String(b.id) ? -1 : 1;
