/** The n8n that most test files of a run share: Vitest starts it before the first of them and stops it after the last. */
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import type { CredentialFile, WorkflowFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import { stateFolder } from './paths.mts';
import { storeAll } from './rest-setup.mts';
import { createClient } from './rest.mts';
import type { RestClient } from './rest.mts';
import type { Runtime } from './runtime.mts';

declare module 'vitest' {
	interface ProvidedContext {
		n8n: { url: string; logFile: string; cookie: string; runtime: Runtime };
	}
}

/** An n8n as a test file uses it. */
export interface UsedN8n {
	runtime: Runtime;
	server: { url: string; logFile: string };
	client: RestClient;
	stop(): Promise<void>;
}

/** Starts it, as Vitest's `globalSetup`. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
	const { client, server, runtime, stop } = await startN8nUnderTest({
		name: 'shared',
		// Examples write files, and tests look for them there.
		environment: { N8N_RESTRICT_FILE_ACCESS_TO: stateFolder },
	});
	const { url, logFile } = server;
	project.provide('n8n', { url, logFile, cookie: client.cookie, runtime });
	return stop;
}

/**
 * Stores what a test file needs in the shared n8n. Its `stop` removes the credentials again, so that the editor offers
 * those of one test file only.
 */
export async function joinSharedN8n(
	credentials: CredentialFile[],
	workflows: WorkflowFile[],
): Promise<UsedN8n> {
	const { url, logFile, cookie, runtime } = inject('n8n');
	const client = createClient(url, cookie, runtime);
	const stored = await storeAll(client, credentials, workflows);
	return {
		runtime,
		server: { url, logFile },
		client,
		stop: async () => {
			for (const { id } of Object.values(stored)) {
				await client.request('DELETE', `/credentials/${id}`);
			}
		},
	};
}
