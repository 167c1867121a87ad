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

/** What a test file needs: a sandbox (the simulated service), credentials and workflows. */
export interface LabOptions {
	/** Name of the test file. It is also the name of the folder for its logs. */
	name: string;
	sandbox: SandboxOptions;
	/**
	 * Name of the API key in the workflows' credential. Default: a key with all permissions. `null` for no credential.
	 */
	key?: keyof typeof sandboxCredentials | null;
	/**
	 * Returns additional credentials. Called in a `beforeAll` hook, after the hooks that the test file registered
	 * earlier.
	 */
	credentials?: (sandboxUrl: string) => CredentialFile[];
	workflows?: (sandboxUrl: string) => WorkflowFile[] | Promise<WorkflowFile[]>;
}

/** A sandbox (the simulated service) and an n8n with the packed package, for one test file. */
export interface Lab<N8n = UsedN8n> {
	sandbox: Sandbox;
	n8n: N8n;
	readonly client: RestClient;
	/** Runs a workflow as "Execute workflow" in the editor does. Waits until the execution succeeds or fails. */
	run(workflow: Pick<WorkflowFile, 'id'>, trigger?: string): Promise<Execution>;
	/** Runs a workflow as `run` does. Throws if the execution fails. */
	succeed(workflow: Pick<WorkflowFile, 'id'>, trigger?: string): Promise<Execution>;
}

/** Registers the hooks of a test file that shares one n8n with other test files. */
export function useLab(options: LabOptions): Lab {
	return registerLab(options, joinSharedN8n, logFileOf);
}

/** Registers the hooks of a test file that has its own n8n, because it kills n8n or needs other settings. */
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
 * Registers the hooks of a test file that starts n8n in its own way.
 * @param start starts n8n, and stores credentials and workflows in it
 * @param logFiles log files of n8n to keep if a test fails
 */
export function registerLab<N8n extends Pick<UsedN8n, 'client' | 'stop'>>(
	{ name, sandbox: sandboxOptions, key = 'v2Full', credentials, workflows }: LabOptions,
	start: (credentials: CredentialFile[], workflows: WorkflowFile[]) => Promise<N8n>,
	logFiles: (n8n: N8n) => string[],
): Lab<N8n> {
	const lab = {
		// Use a getter, because each start of n8n creates a new client.
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
