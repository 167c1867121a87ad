import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkFreeDisk } from './free-disk.mts';
import { childEnvironment, lastLines, runNpm, runToItsEnd } from './commands.mts';
import { ExplainedError } from './errors.mts';
import { nativeBuildEnvironment } from './node-headers.mts';
import { pinnedFolder, repositoryFolder } from './paths.mts';
import type { Progress } from './progress.mts';

/** Installed n8n and its user folder. */
export interface Runtime {
	/** Folder where n8n is installed. */
	serverFolder: string;
	/** N8N_USER_FOLDER: database, settings, installed packages. */
	userFolder: string;
}

/** Environment variables of other tools that would change the n8n started here. */
const foreignSettings =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|WEBHOOK_URL$|NODE_OPTIONS$|E2E_TESTS$|VITEST|TEST$)/;

/** Settings that keep n8n from sending data to other machines, and from showing notices in the editor. */
const quietSettings = {
	N8N_AI_ENABLED: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

/** Returns the environment for any n8n command of a runtime. */
export function n8nEnvironment(runtime: Runtime): Record<string, string> {
	const inherited = Object.entries(childEnvironment()).filter(
		([name]) => !foreignSettings.test(name),
	);
	return {
		...Object.fromEntries(inherited),
		...quietSettings,
		// A test runner sets "test", with which n8n logs nothing.
		NODE_ENV: 'production',
		N8N_USER_FOLDER: runtime.userFolder,
		// This key is no secret. It protects made-up keys in a database that only this machine can reach.
		N8N_ENCRYPTION_KEY: 'fake-encryption-key-for-the-local-sandbox',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: 'localhost',
		// The editor is served over plain HTTP on this machine.
		N8N_SECURE_COOKIE: 'false',
		// A proxy for the internet must not receive the requests to the sandbox.
		NO_PROXY: ['127.0.0.1', 'localhost', process.env.NO_PROXY].filter(Boolean).join(','),
		no_proxy: ['127.0.0.1', 'localhost', process.env.no_proxy].filter(Boolean).join(','),
	};
}

/** Returns the path of the JavaScript file behind the `n8n` command. */
export function n8nScript(runtime: Runtime): string {
	return path.join(runtime.serverFolder, 'node_modules/n8n/bin/n8n');
}

/**
 * Runs one n8n command to its end and returns its output.
 * @param commandArguments arguments such as `['import:workflow', '--input=FILE']`
 * @throws ExplainedError with the last lines of n8n's output
 */
export async function runN8n(runtime: Runtime, commandArguments: string[]): Promise<string> {
	const result = await runToItsEnd(process.execPath, [n8nScript(runtime), ...commandArguments], {
		folder: runtime.userFolder,
		environment: n8nEnvironment(runtime),
	});
	if (!result.failed) return result.stdout;
	throw new ExplainedError(
		`n8n ${commandArguments.join(' ')} failed:\n${lastLines(`${result.stdout}\n${result.stderr}`, 20)}`,
	);
}

/**
 * Installs an n8n, unless the same version is installed already. The last step writes a stamp with the lock file's
 * hash. Without a matching stamp, the setup starts again in an empty folder.
 * @throws ExplainedError if disk space or the network is missing, or if npm fails
 */
export async function setUpServer(
	serverFolder: string,
	progress: Progress,
	lockFolder = pinnedFolder,
): Promise<void> {
	const lock = await readFile(path.join(lockFolder, 'package-lock.json'));
	const stamp = createHash('sha256').update(lock).digest('hex');
	const stampFile = path.join(serverFolder, '.installed');
	if ((await readIfThere(stampFile)) === stamp) return;

	await rm(serverFolder, { recursive: true, force: true });
	await checkFreeDisk(serverFolder);
	for (const name of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(lockFolder, name), path.join(serverFolder, name));
	}
	await copyFile(path.join(repositoryFolder, '.npmrc'), path.join(serverFolder, '.npmrc'));
	await progress.step(
		'Installing n8n (once, about 2 GB; may take ten minutes on a slow machine)',
		() =>
			runNpm({
				arguments: ['ci', '--ignore-scripts'],
				folder: serverFolder,
				purpose: 'Installing n8n',
			}),
	);
	// If Node's headers have to be fetched, they stay in this folder too.
	const environment = nativeBuildEnvironment(path.join(serverFolder, '.node-gyp'));
	await progress.step("Preparing n8n's database driver (once)", () =>
		runNpm({
			arguments: ['rebuild', 'sqlite3'],
			folder: serverFolder,
			purpose: "Preparing n8n's database driver",
			environment,
		}),
	);
	await writeFile(stampFile, stamp);
}

/**
 * Makes the user folder. n8n writes a copy of its editor (700 script files) into `.cache` in this folder. `.cache`
 * becomes a link into the server's node_modules, which ESLint ignores. Otherwise, `eslint .` in this repository would
 * take 80 seconds instead of 4.
 */
export async function prepareUserFolder(runtime: Runtime): Promise<void> {
	const name = createHash('sha256').update(runtime.userFolder).digest('hex').slice(0, 12);
	const cacheFolder = path.join(runtime.serverFolder, 'node_modules/.cache/n8n-editor', name);
	await mkdir(cacheFolder, { recursive: true });
	await mkdir(runtime.userFolder, { recursive: true });
	const link = path.join(runtime.userFolder, '.cache');
	if (!existsSync(link)) {
		await rm(link, { force: true });
		await symlink(cacheFolder, link, 'junction');
	}
}

/** Returns the text of a file, or undefined if the file does not exist. */
export async function readIfThere(file: string): Promise<string | undefined> {
	return existsSync(file) ? await readFile(file, 'utf8') : undefined;
}
