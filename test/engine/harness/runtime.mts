/**
 * Starts n8n's engine (n8n-core) once in the test process, with its own folders, log and binary data store. Loads the
 * built package with n8n's package loader.
 */
import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { staleFiles } from '../../stale-build.mts';

/** Message in n8n's log. `meta` is the object that was passed with the message, unchanged. */
export interface LogEntry {
	level: string;
	message: string;
	meta?: unknown;
}

const packageFolder = fileURLToPath(new URL('../../../', import.meta.url));
const packageJson = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
	name: string;
};

/** Name of this package. The full type name of each of its nodes begins with this name. */
export const packageName = packageJson.name;

// n8n reads these environment variables when it starts. It keeps all its files in a temporary folder of this process.
const userFolder = mkdtempSync(join(tmpdir(), 'n8n-engine-test-'));
const removeUserFolder = () => rmSync(userFolder, { recursive: true, force: true });
process.once('exit', removeUserFolder);
Object.assign(process.env, {
	N8N_USER_FOLDER: userFolder,
	N8N_ENCRYPTION_KEY: 'fake-encryption-key-of-the-engine-tests',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_STORAGE_PATH: join(userFolder, 'storage'),
	N8N_BINARY_DATA_STORAGE_PATH: join(userFolder, 'storage'),
	// Send requests to the sandbox without the proxy of the developer, because a proxy cannot reach local addresses of
	// this machine.
	NO_PROXY: ['127.0.0.1', 'localhost', process.env.NO_PROXY].filter(Boolean).join(','),
});

// n8n-workflow exists twice (ESM and CommonJS), with separate error classes and loggers. n8n-core uses the CommonJS
// copy, so load n8n modules only with `require`.
const require = createRequire(import.meta.url);
const requireFromCore = createRequire(require.resolve('n8n-core'));

/**
 * n8n-core, the engine. Use this constant instead of an import, because n8n-core must be loaded after the environment
 * variables are set.
 */
export const n8nCore = require('n8n-core') as typeof import('n8n-core');
/** The copy of n8n-workflow that n8n-core itself uses. */
export const n8nWorkflow = requireFromCore('n8n-workflow') as typeof import('n8n-workflow');

interface Container {
	get<Service>(type: abstract new (...parameters: never[]) => Service): Service;
	set(type: unknown, service: unknown): void;
}
/** n8n's dependency injection container. It holds services of the engine, such as the binary data service. */
export const container = (requireFromCore('@n8n/di') as { Container: Container }).Container;

const currentLogs = new AsyncLocalStorage<LogEntry[]>();
const record = (level: string) => (message: string, meta?: unknown) => {
	currentLogs.getStore()?.push(meta === undefined ? { level, message } : { level, message, meta });
};
const recordingLogger = {
	error: record('error'),
	warn: record('warn'),
	info: record('info'),
	debug: record('debug'),
	scoped: () => recordingLogger,
};
container.set(
	(requireFromCore('@n8n/backend-common') as { Logger: unknown }).Logger,
	recordingLogger,
);
n8nWorkflow.LoggerProxy.init(recordingLogger);

/**
 * Runs `work`, and adds all entries of n8n's log to `logs`, including entries of the nodes' `this.logger`. Overlapping
 * runs have separate logs.
 */
export async function withLogs<Result>(
	logs: LogEntry[],
	work: () => Promise<Result>,
): Promise<Result> {
	return await currentLogs.run(logs, work);
}

let started: Promise<void> | undefined;

/** Starts n8n-core's binary data service, which stores files in the temporary folder of this process. */
export async function startRuntime(): Promise<void> {
	started ??= container.get(n8nCore.BinaryDataService).init();
	await started;
}

/** Deletes all files of the engine. Stored binary data cannot be read after that. */
export async function stopRuntime(): Promise<void> {
	await started?.catch(() => undefined);
	removeUserFolder();
	started = undefined;
}

let loaded: ReturnType<typeof loadPackage> | undefined;

/**
 * Loads the built package once per process. n8n's loader finds the nodes in the `n8n` section of package.json.
 * @throws Error that tells the user to run `npm run build` if `dist` is missing or does not match the sources
 */
export async function loadBuiltPackage() {
	loaded ??= loadPackage();
	return await loaded;
}

/**
 * Loads the nodes and credentials of the package, under the names that n8n's server uses. Adds the credential fields
 * with which n8n restricts the allowed domains.
 */
async function loadPackage() {
	const stale = staleFiles();
	if (stale.length > 0) {
		throw new Error(
			`dist is not built from these sources. Run \`npm run build\` first. Missing or outdated: ${stale.slice(0, 5).join(', ')}`,
		);
	}
	const loader = new n8nCore.PackageDirectoryLoader(packageFolder);
	await loader.loadAll();
	const nodeTypes: Record<string, INodeType> = {};
	for (const [name, { type }] of Object.entries(loader.nodeTypes)) {
		nodeTypes[`${loader.packageName}.${name}`] = type as INodeType;
	}
	const credentialTypes: Record<string, ICredentialType> = {};
	for (const [name, { type }] of Object.entries(loader.credentialTypes)) {
		type.properties = n8nWorkflow.injectDomainRestrictionFields(type);
		credentialTypes[name] = type;
	}
	return { nodeTypes, credentialTypes };
}
