import { afterAll, beforeAll, beforeEach } from 'vitest';
import { keepEvidenceOfFailures } from '../n8n/artifacts.mts';
import { sandboxCredentialFile } from '../n8n/imports.mts';
import type { WorkflowFile } from '../n8n/imports.mts';
import { storeAll } from '../n8n/rest-setup.mts';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox, SandboxOptions } from '../sandbox/types.mts';
import type { Cluster } from './cluster.mts';

/** What a part of the queue tests needs. */
export interface PartOptions {
	/** Its logs are kept under it. */
	name: string;
	sandbox: SandboxOptions;
	/** Called before all tests, after what the part has registered before. They are published. */
	workflows: () => WorkflowFile[] | Promise<WorkflowFile[]>;
}

/** A sandbox of its own, and the cluster of all parts. */
export interface Part {
	readonly sandbox: Sandbox;
	readonly cluster: Cluster;
}

/** Registers the hooks of a part of the queue tests. */
export function usePart(
	running: () => Cluster,
	{ name, sandbox: sandboxOptions, workflows }: PartOptions,
): Part {
	let sandbox: Sandbox;
	let published: WorkflowFile[] = [];

	beforeAll(async () => {
		sandbox = await startSandbox(sandboxOptions);
		const credential = sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full);
		published = await workflows();
		await storeAll(running().client, [credential], published);
		for (const { id } of published) await running().client.activate(id);
	});
	afterAll(async () => {
		for (const { id } of published) await running().client.deactivate(id);
		await sandbox?.stop();
	});
	beforeEach(() => {
		sandbox.clearFaults();
		sandbox.clearRequests();
	});
	keepEvidenceOfFailures(name, () => ({ logFiles: running()?.logFiles ?? [], sandbox }));
	return {
		get sandbox() {
			return sandbox;
		},
		get cluster() {
			return running();
		},
	};
}
