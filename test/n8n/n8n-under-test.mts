import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CredentialFile, WorkflowFile } from './imports.mts';
import { buildPackage, installTarball, packPackage } from './package-tarball.mts';
import { pinnedFolder, serverFolder, stateFolder } from './paths.mts';
import { createProgress } from './progress.mts';
import { storeAll, storeWorkflow } from './rest-setup.mts';
import { signIn } from './rest.mts';
import type { RestClient } from './rest.mts';
import { prepareUserFolder, setUpServer } from './runtime.mts';
import type { Runtime } from './runtime.mts';
import { startServer } from './server.mts';
import type { N8nServer, ServerOptions } from './server.mts';

/** Running n8n with the packed package. Several test files can share it. */
export interface UsedN8n {
	runtime: Runtime;
	server: Pick<N8nServer, 'url' | 'logFile'>;
	client: RestClient;
	/** Stores another workflow, which can use the credentials that were stored at the start. */
	store(workflow: WorkflowFile): Promise<void>;
	stop(): Promise<void>;
}

/** Running n8n that only one test file uses. */
export interface N8nUnderTest extends UsedN8n {
	server: N8nServer;
	/** Kills n8n and all its processes at once, with SIGKILL. */
	kill(): Promise<void>;
	/** Starts n8n again with the same user folder and additional environment variables. */
	startAgain(environment?: Record<string, string>): Promise<void>;
}

/**
 * Prepares an n8n for a test: installs it if it is missing, and creates a user folder with the package. The package is
 * built and packed as for publication.
 * @param server folders of n8n and of its lock file. Default: the pinned n8n.
 * @throws ExplainedError if a step fails
 */
export async function createTestRuntime(
	name: string,
	server = { folder: serverFolder(), lockFolder: pinnedFolder },
): Promise<Runtime> {
	const progress = createProgress();
	const userFolder = path.join(stateFolder, 'tests', name);
	const runtime: Runtime = { serverFolder: server.folder, userFolder };
	await rm(userFolder, { recursive: true, force: true });
	await buildPackage(progress);
	await setUpServer(server.folder, progress, server.lockFolder);
	await prepareUserFolder(runtime);
	// Write the tarball into the test's user folder, because another test may pack the package at the same time.
	await installTarball(await packPackage(userFolder), runtime);
	return runtime;
}

/**
 * Starts an n8n with the package and a new user folder, signs in, and stores credentials and workflows.
 * @param options options of the server, and the `name` of the folder under `.n8n/tests/`
 * @throws ExplainedError if a step fails
 */
export async function startN8nUnderTest({
	name,
	credentials = [],
	workflows = [],
	...serverOptions
}: ServerOptions & {
	name: string;
	credentials?: CredentialFile[];
	workflows?: WorkflowFile[];
}): Promise<N8nUnderTest> {
	const runtime = await createTestRuntime(name);
	const boot = async (environment?: Record<string, string>) => {
		const server = await startServer(runtime, {
			...serverOptions,
			environment: { ...serverOptions.environment, ...environment },
		});
		try {
			return { server, client: await signIn(server.url, runtime) };
		} catch (error) {
			await server.stop();
			throw error;
		}
	};
	const n8n: N8nUnderTest = {
		runtime,
		...(await boot()),
		kill: async () => {
			process.kill(-n8n.server.processId, 'SIGKILL');
			await n8n.server.ended;
		},
		startAgain: async (more) => {
			const again = async () => void Object.assign(n8n, await boot(more));
			// Retry the start once, as a container's restart policy does. n8n 2.41 exits if an execution was killed
			// before n8n had stored its start, but ignores this execution at the next start.
			await again().catch(async (error: unknown) => {
				if (!String(error).includes('ExecutionRecoveryService')) throw error;
				await again();
			});
		},
		store: async (workflow) => void (await storeWorkflow(n8n.client, workflow, stored)),
		// Keep the user folder, so that a developer can inspect the database and the log.
		stop: async () => await n8n.server.stop(),
	};
	const stored = await storeAll(n8n.client, credentials, workflows);
	return n8n;
}
