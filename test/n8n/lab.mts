import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox, SandboxOptions } from '../sandbox/types.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { sandboxCredentialFile } from './imports.mts';
import type { CredentialFile, WorkflowFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest, UsedN8n } from './n8n-under-test.mts';
import type { Execution, RestClient } from './rest.mts';
import { joinSharedN8n } from './shared-n8n.mts';
import { startName } from './workflows.mts';

/** What a test file needs. */
export interface LabOptions {
	/** Name of the test file; its logs are kept under it. */
	name: string;
	sandbox: SandboxOptions;
	/** The key in the credential of the workflows; the one that may do everything when left out, `null` for no credential. */
	key?: keyof typeof sandboxCredentials | null;
	/** More of them. Called before all tests, after what the file has registered before. */
	credentials?: (sandboxUrl: string) => CredentialFile[];
	workflows?: (sandboxUrl: string) => WorkflowFile[] | Promise<WorkflowFile[]>;
}

/** A sandbox and an n8n with the packed package, as one test file uses them. */
export interface Lab<N8n = UsedN8n> {
	sandbox: Sandbox;
	n8n: N8n;
	readonly client: RestClient;
	/** Runs a workflow as "Execute workflow" in the editor does, and waits for its end, whatever that is. */
	run(workflow: Pick<WorkflowFile, 'id'>, trigger?: string): Promise<Execution>;
	/** The same, where it has to succeed. */
	succeed(workflow: Pick<WorkflowFile, 'id'>, trigger?: string): Promise<Execution>;
}

/** Registers the hooks of a test file that uses the n8n of the whole run. */
export function useLab(options: LabOptions): Lab {
	return registerLab(options, joinSharedN8n, logFileOf);
}

/**
 * Registers the hooks of a test file that has an n8n of its own, since it kills it or needs other settings.
 */
export function useOwnN8n(
	options: LabOptions,
	environment?: Record<string, string>,
): Lab<N8nUnderTest> {
	const { name } = options;
	return registerLab(
		options,
		(credentials, workflows) => startN8nUnderTest({ name, credentials, workflows, environment }),
		logFileOf,
	);
}

const logFileOf = ({ server }: UsedN8n): string[] => [server.logFile];

/**
 * Registers the hooks of a test file with any other n8n.
 *
 * @param start stores credentials and workflows in it
 * @param logFiles what is kept of it where a test fails
 */
export function registerLab<N8n extends Pick<UsedN8n, 'client' | 'stop'>>(
	{ name, sandbox: sandboxOptions, key = 'v2Full', credentials, workflows }: LabOptions,
	start: (credentials: CredentialFile[], workflows: WorkflowFile[]) => Promise<N8n>,
	logFiles: (n8n: N8n) => string[],
): Lab<N8n> {
	const lab = {
		// Another one after each start.
		get client() {
			return lab.n8n.client;
		},
		run: async ({ id }, trigger = startName) => await lab.client.runWorkflow(id, trigger),
		succeed: async (workflow, trigger) => {
			const execution = await lab.run(workflow, trigger);
			expect(execution.error?.message).toBeUndefined();
			expect(execution.status).toBe('success');
			return execution;
		},
	} as Lab<N8n>;

	beforeAll(async () => {
		const sandbox = (lab.sandbox = await startSandbox(sandboxOptions));
		const own = key === null ? [] : [sandboxCredentialFile(sandbox.url, sandboxCredentials[key])];
		const others = credentials?.(sandbox.url) ?? [];
		lab.n8n = await start([...own, ...others], (await workflows?.(sandbox.url)) ?? []);
	});
	afterAll(async () => {
		await lab.n8n?.stop();
		await lab.sandbox?.stop();
	});
	beforeEach(() => {
		lab.sandbox.clearFaults();
		lab.sandbox.clearRequests();
	});
	keepEvidenceOfFailures(name, () => ({
		logFiles: lab.n8n ? logFiles(lab.n8n) : [],
		sandbox: lab.sandbox,
	}));
	return lab;
}
