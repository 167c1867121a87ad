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

/** An installed n8n and its user folder. */
export interface Runtime {
	/** Folder in which n8n is installed. */
	serverFolder: string;
	/** User folder of n8n (`N8N_USER_FOLDER`), with its database, settings and installed packages. */
	userFolder: string;
}

/** Environment variables that would change the behaviour of n8n. They are not passed on to n8n. */
const foreignSettings =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|WEBHOOK_URL$|NODE_OPTIONS$|E2E_TESTS$|VITEST|TEST$)/;

/** Settings that stop n8n from sending data to other machines, and from showing announcements in the editor. */
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

/** Returns the environment variables for any command of n8n. */
export function n8nEnvironment(runtime: Runtime): Record<string, string> {
	const inherited = Object.entries(childEnvironment()).filter(
		([name]) => !foreignSettings.test(name),
	);
	return {
		...Object.fromEntries(inherited),
		...quietSettings,
		// Override `NODE_ENV`, because Vitest sets it to "test", and n8n then writes no log.
		NODE_ENV: 'production',
		N8N_USER_FOLDER: runtime.userFolder,
		// This key is no secret. It encrypts made-up credentials in a database that only this machine can reach.
		N8N_ENCRYPTION_KEY: 'fake-encryption-key-for-the-local-sandbox',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: 'localhost',
		// Allow cookies without HTTPS, because the editor uses HTTP on this machine.
		N8N_SECURE_COOKIE: 'false',
		// Do not send requests to the sandbox through a proxy.
		NO_PROXY: ['127.0.0.1', 'localhost', process.env.NO_PROXY].filter(Boolean).join(','),
		no_proxy: ['127.0.0.1', 'localhost', process.env.no_proxy].filter(Boolean).join(','),
	};
}

/** Returns the path of the JavaScript file behind the `n8n` command. */
export function n8nScript(runtime: Runtime): string {
	return path.join(runtime.serverFolder, 'node_modules/n8n/bin/n8n');
}

/**
 * Runs a command of n8n to its end and returns its output.
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
 * Installs an n8n, unless it is installed already. The last step writes a stamp file with the hash of the lock file. If
 * the stamp file is missing or different, the folder is deleted and n8n is installed again.
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
	// If npm has to download Node's headers, store them in the server's folder too.
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
 * Creates n8n's user folder. Its subfolder `.cache`, into which n8n copies its editor (700 script files), is a link
 * into the server's node_modules. ESLint ignores node_modules. Otherwise `eslint .` would take 80 seconds instead of 4.
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
