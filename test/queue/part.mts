import { afterAll, beforeAll, beforeEach } from 'vitest';
import { keepEvidenceOfFailures } from '../n8n/artifacts.mts';
import { sandboxCredentialFile, type WorkflowFile } from '../n8n/imports.mts';
import { storeAll } from '../n8n/rest-setup.mts';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox, SandboxOptions } from '../sandbox/types.mts';
import type { Cluster } from './cluster.mts';

/**
 * Registers the hooks of a part of the queue tests: a sandbox of its own, and the cluster of all parts.
 *
 * @param options.name its logs are kept under it
 * @param options.workflows called before all tests, after what the part has registered before; they are published
 */
export function usePart(
	running: () => Cluster,
	options: {
		name: string;
		sandbox: SandboxOptions;
		workflows: () => WorkflowFile[] | Promise<WorkflowFile[]>;
	},
) {
	let sandbox: Sandbox;
	let published: WorkflowFile[] = [];

	beforeAll(async () => {
		sandbox = await startSandbox(options.sandbox);
		const credential = sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full);
		published = await options.workflows();
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
	keepEvidenceOfFailures(options.name, () => ({ logFiles: running()?.logFiles ?? [], sandbox }));
	return {
		get sandbox() {
			return sandbox;
		},
		get cluster() {
			return running();
		},
	};
}
