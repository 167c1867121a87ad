import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { examplesFolder } from './paths.mts';
import { readIfThere, runN8n } from './runtime.mts';
import type { Runtime } from './runtime.mts';

/** Id and name of the credential that the example workflows use. */
export const sandboxCredential = { id: 'workspaceDataSandbox', name: 'Workspace Data sandbox' };

/** Workflow in n8n's import and export format, with the fields that the tests use. */
export interface WorkflowFile {
	id: string;
	name: string;
	nodes: { name: string; type: string; parameters: Record<string, unknown> }[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown[]>;
}

/** Credential in n8n's import format. */
export interface CredentialFile {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** Workflows of the folder examples/, by file name without `.json`. */
export type Examples = Record<string, WorkflowFile>;

/** Returns a unique workflow id. n8n's ids have at most 21 characters. */
export function newWorkflowId(): string {
	return randomUUID().replaceAll('-', '').slice(0, 16);
}

/**
 * Reads every workflow of the folder examples/. By default, each workflow gets an id made from its file name, so that a
 * second import replaces the workflow. Without an id, n8n would create a copy at each import.
 * @param idOf returns a workflow's id for its file name. Unique ids let one n8n hold an example more than once
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

/**
 * Address of the sandbox (the simulated service) in the example workflows. `npm start` starts the sandbox at this
 * address unless another port is set.
 */
const addressOfSandbox = 'http://127.0.0.1:4010';

/** Returns the examples as `npm start` imports them, with HTTP Request nodes that call the sandbox at `sandboxUrl`. */
export function examplesAt(sandboxUrl: string, examples: Examples): WorkflowFile[] {
	const text = JSON.stringify(Object.values(examples));
	return JSON.parse(text.replaceAll(addressOfSandbox, sandboxUrl)) as WorkflowFile[];
}

function workflowIdFor(name: string): string {
	return `example${createHash('sha256').update(name).digest('hex').slice(0, 9)}`;
}

/**
 * Returns a credential for the nodes of this package.
 * @param id id by which the workflows of the tests refer to the credential
 * @param name name that users see
 * @param choice base URL, and all fields that differ from a v2 credential without a key
 */
export function credentialFile(
	id: string,
	name: string,
	choice: Record<'baseUrl', string> & Record<string, string>,
): CredentialFile {
	const empty = { apiVersion: 'v2', apiKey: '', accessToken: '', workspaceCode: '' };
	return { id, name, type: 'workspaceDataApi', data: { ...empty, ...choice } };
}

/** Returns the credential that the examples use, with the base URL and an API key of the sandbox. */
export function sandboxCredentialFile(baseUrl: string, apiKey: string): CredentialFile {
	return credentialFile(sandboxCredential.id, sandboxCredential.name, { baseUrl, apiKey });
}

/** Header with which an application authenticates at the webhook of an example. */
export const webhookHeader = { name: 'X-Api-Key', value: 'fake-key-of-the-webhook' };

/** Credential with the header that the webhook of an example requires. */
export const webhookCredential: CredentialFile = {
	id: 'webhookHeaderAuth',
	name: 'Key of the webhook',
	type: 'httpHeaderAuth',
	data: webhookHeader,
};

/** Imports credentials with n8n's import command. Skips the import if the last import had the same content. */
export const importCredentials = (runtime: Runtime, credentials: CredentialFile[]) =>
	importOnce(runtime, 'credentials', credentials);

/** Imports workflows with n8n's import command. Skips the import if the last import had the same content. */
export const importWorkflows = (runtime: Runtime, workflows: WorkflowFile[]) =>
	importOnce(runtime, 'workflow', workflows);

/**
 * Imports credentials or workflows. Skips the import if the last import had the same content, so that a user's changes
 * in the editor are kept.
 * @throws ExplainedError with the output of n8n
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
		// Check the output, because n8n's import command exits with 0 even after some errors.
		if (!printed.includes('Successfully imported')) {
			throw new Error(`n8n did not import the ${kind}:\n${printed}`);
		}
	} finally {
		await rm(file, { force: true });
	}
	await writeFile(stampFile, stamp);
}
