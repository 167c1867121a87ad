/**
 * Starts one n8n that most test files share. Vitest starts it before the first test file and stops it after the last.
 */
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import type { CredentialFile, WorkflowFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { UsedN8n } from './n8n-under-test.mts';
import { storeAll, storeWorkflow } from './rest-setup.mts';
import { createClient } from './rest.mts';
import type { Runtime } from './runtime.mts';

declare module 'vitest' {
	interface ProvidedContext {
		n8n: { url: string; logFile: string; cookie: string; runtime: Runtime };
	}
}

/** Starts the shared n8n. Vitest calls this function as `globalSetup`. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
	const { client, server, runtime, stop } = await startN8nUnderTest({
		name: `shared-${project.name}`,
	});
	const { url, logFile } = server;
	project.provide('n8n', { url, logFile, cookie: client.cookie, runtime });
	return stop;
}

/**
 * Stores the credentials and workflows of a test file in the shared n8n. `stop` unpublishes the workflows and deletes
 * the credentials, so that they do not affect the next test file.
 */
export async function joinSharedN8n(
	credentials: CredentialFile[],
	workflows: WorkflowFile[],
): Promise<UsedN8n> {
	const { url, logFile, cookie, runtime } = inject('n8n');
	const client = createClient(url, cookie, runtime);
	const stored = await storeAll(client, credentials, workflows);
	const ids = new Set(workflows.map(({ id }) => id));
	return {
		runtime,
		server: { url, logFile },
		client,
		store: async (workflow) => void (await storeWorkflow(client, workflow, stored)),
		stop: async () => {
			const filter = new URLSearchParams({ filter: JSON.stringify({ active: true }) });
			const published = await client.request<Array<{ id: string }>>('GET', `/workflows?${filter}`);
			for (const { id } of published.filter((one) => ids.has(one.id))) await client.deactivate(id);
			for (const { id } of Object.values(stored)) {
				await client.request('DELETE', `/credentials/${id}`);
			}
		},
	};
}
