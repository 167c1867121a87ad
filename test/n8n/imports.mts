import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { examplesFolder } from './paths.mts';
import { readIfThere, runN8n } from './runtime.mts';
import type { Runtime } from './runtime.mts';

/** The id and name by which the examples refer to their credential. */
export const sandboxCredential = { id: 'workspaceDataSandbox', name: 'Workspace Data sandbox' };

/** A workflow as n8n exports and imports it; only what is read here is named. */
export interface WorkflowFile {
	id: string;
	name: string;
	nodes: { name: string; type: string; parameters: Record<string, unknown> }[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown[]>;
}

/** A credential as n8n imports it. */
export interface CredentialFile {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** The workflows of examples/ by file name without `.json`. */
export type Examples = Record<string, WorkflowFile>;

/** A workflow's id that no other has. n8n's have at most 21 characters. */
export function newWorkflowId(): string {
	return randomUUID().replaceAll('-', '').slice(0, 16);
}

/**
 * Reads every workflow of examples/. n8n would give a new id on each import, so each gets a fixed one made from
 * its file name: importing again replaces it.
 *
 * @param idOf another way to give ids, where an n8n is to hold an example more than once
 */
export async function readExamples(idOf = workflowIdFor): Promise<Examples> {
	const files = (await readdir(examplesFolder)).filter((name) => name.endsWith('.json')).sort();
	const examples: Examples = {};
	for (const file of files) {
		const name = path.basename(file, '.json');
		const text = await readFile(path.join(examplesFolder, file), 'utf8');
		examples[name] = { ...(JSON.parse(text) as Omit<WorkflowFile, 'id'>), id: idOf(name) };
	}
	return examples;
}

/** Where the examples look for the sandbox: `npm start` runs it there unless it is told another port. */
const addressOfSandbox = 'http://127.0.0.1:4010';

/** The examples as `npm start` imports them: a request of n8n's own node goes to this sandbox. */
export function examplesAt(sandboxUrl: string, examples: Examples): WorkflowFile[] {
	const text = JSON.stringify(Object.values(examples));
	return JSON.parse(text.replaceAll(addressOfSandbox, sandboxUrl)) as WorkflowFile[];
}

function workflowIdFor(name: string): string {
	return `example${createHash('sha256').update(name).digest('hex').slice(0, 9)}`;
}

/**
 * A credential of this package.
 *
 * @param id by which workflows of the tests name it
 * @param name as users see it
 * @param choice its address, and what differs from a v2 credential without a key
 */
export function credentialFile(
	id: string,
	name: string,
	choice: Record<'baseUrl', string> & Record<string, string>,
): CredentialFile {
	const empty = { apiVersion: 'v2', apiKey: '', accessToken: '', workspaceCode: '' };
	return { id, name, type: 'workspaceDataApi', data: { ...empty, ...choice } };
}

/** The credential that the examples use, with a v2 developer API key that the sandbox knows. */
export function sandboxCredentialFile(baseUrl: string, apiKey: string): CredentialFile {
	return credentialFile(sandboxCredential.id, sandboxCredential.name, { baseUrl, apiKey });
}

/** What an application has to send to the webhook of an example. */
export const webhookHeader = { name: 'X-Api-Key', value: 'fake-key-of-the-webhook' };

/** The credential of that webhook. */
export const webhookCredential: CredentialFile = {
	id: 'webhookHeaderAuth',
	name: 'Key of the webhook',
	type: 'httpHeaderAuth',
	data: webhookHeader,
};

/** Imports credentials by n8n's command, once. */
export const importCredentials = (runtime: Runtime, credentials: CredentialFile[]) =>
	importOnce(runtime, 'credentials', credentials);

/** Imports workflows by n8n's command, once. */
export const importWorkflows = (runtime: Runtime, workflows: WorkflowFile[]) =>
	importOnce(runtime, 'workflow', workflows);

/**
 * Does nothing where the same ones were imported last, so that what a person changed in the editor stays.
 *
 * @throws ExplainedError with what n8n printed
 */
async function importOnce(
	runtime: Runtime,
	kind: 'credentials' | 'workflow',
	content: unknown[],
): Promise<void> {
	const text = JSON.stringify(content);
	const stamp = createHash('sha256').update(text).digest('hex');
	const stampFile = path.join(runtime.userFolder, `imported-${kind}.sha256`);
	if ((await readIfThere(stampFile)) === stamp) return;

	const file = path.join(runtime.userFolder, `import-${kind}.json`);
	await writeFile(file, text, { mode: 0o600 });
	try {
		const printed = await runN8n(runtime, [`import:${kind}`, `--input=${file}`]);
		// n8n ends with 0 even where it only logged an error.
		if (!printed.includes('Successfully imported')) {
			throw new Error(`n8n did not import the ${kind}:\n${printed}`);
		}
	} finally {
		await rm(file, { force: true });
	}
	await writeFile(stampFile, stamp);
}
