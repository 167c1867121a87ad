import { join } from 'node:path';
import { sandboxCredentials, startSandbox } from '../../test/sandbox/server.mts';
import type { Sandbox } from '../../test/sandbox/types.mts';
import { ExplainedError, messageOf } from '../../test/n8n/errors.mts';
import {
	examplesAt,
	importCredentials,
	importWorkflows,
	readExamples,
	sandboxCredentialFile,
	webhookCredential,
} from '../../test/n8n/imports.mts';
import { buildPackage, installTarball, packPackage } from '../../test/n8n/package-tarball.mts';
import { serverFolder, stateFolder } from '../../test/n8n/paths.mts';
import { createProgress } from '../../test/n8n/progress.mts';
import type { Progress } from '../../test/n8n/progress.mts';
import { signIn } from '../../test/n8n/rest.mts';
import { prepareUserFolder, setUpServer } from '../../test/n8n/runtime.mts';
import type { Runtime } from '../../test/n8n/runtime.mts';
import { startServer } from '../../test/n8n/server.mts';
import type { N8nServer } from '../../test/n8n/server.mts';
import { checkPortIsFree } from './check-port.mts';
import { runExport } from './export-run.mts';
import { readOptions, usage } from './options.mts';
import { startedText } from './started-text.mts';

/** User folder of n8n, with its database, settings and installed packages. */
const homeFolder = join(stateFolder, 'home');

/** Number of companies in the sandbox: 26 pages of 100, the last of them incomplete. */
const companies = 2_503;

const exitCodeOfInterrupt = 130;

/** Functions that stop what was started. The last one runs first. */
type CleanUp = (() => Promise<void>)[];

/** Programs that run after the start. */
interface Started {
	server: N8nServer;
	sandbox: Sandbox;
}

/**
 * Runs `npm start`: builds the package, sets up n8n, runs the export example and prints the result. Then keeps the
 * editor open until Ctrl-C. With `--once`, stops after the export.
 * @returns exit code: 0 if the export returned every record of the sandbox
 */
export async function main(commandLine: string[]): Promise<number> {
	const cleanUp: CleanUp = [];
	const interrupted = waitForInterrupt();
	try {
		const options = readOptions(commandLine);
		if (options.help) {
			console.log(usage);
			return 0;
		}
		const progress = createProgress();
		const started = await Promise.race([start(options, progress, cleanUp), interrupted]);
		if (started === 'interrupted') return exitCodeOfInterrupt;
		if (options.once) return 0;
		progress.say(startedText(started.server, started.sandbox.url));
		await Promise.race([interrupted, failWhenEnded(started.server)]);
		return 0;
	} catch (error) {
		const isExplained = error instanceof ExplainedError || !(error instanceof Error);
		console.error(`\n${isExplained ? messageOf(error) : error.stack}`);
		return 1;
	} finally {
		for (const stop of cleanUp.toReversed()) {
			await stop().catch((error: unknown) => console.error(messageOf(error)));
		}
	}
}

async function start(
	options: ReturnType<typeof readOptions>,
	progress: Progress,
	cleanUp: CleanUp,
): Promise<Started> {
	await checkPortIsFree(options.port, "n8n's editor", '--port');
	await checkPortIsFree(options.sandboxPort, 'the sandbox', '--sandbox-port');
	const runtime: Runtime = { serverFolder: serverFolder(), userFolder: homeFolder };

	await buildPackage(progress);
	await setUpServer(runtime.serverFolder, progress);
	await prepareUserFolder(runtime);
	const sandbox = await startSandbox({ port: options.sandboxPort, companies });
	cleanUp.push(() => sandbox.stop());
	const examples = await readExamples();
	await progress.step('Installing the package and the examples in n8n', async () => {
		await installTarball(await packPackage(), runtime);
		const credential = sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full);
		await importCredentials(runtime, [credential, webhookCredential]);
		await importWorkflows(runtime, examplesAt(sandbox.url, examples));
	});
	const logFile = join(stateFolder, 'n8n.log');
	const server = await progress.step('Starting n8n', () =>
		startServer(runtime, { port: options.port, logFile }),
	);
	cleanUp.push(() => server.stop());

	try {
		const client = await signIn(server.url, runtime);
		sandbox.clearRequests();
		const result = await progress.step('Exporting all companies in n8n', () =>
			runExport(client, examples['scheduled-export-of-companies']),
		);
		progress.say(`
The workflow "Scheduled export of companies" ran in n8n:
  records   ${result.records}
  pages     ${sandbox.requests.filter(({ path }) => path === '/v2/public/companies').length}
  seconds   ${result.seconds.toFixed(1)}
  file      ${result.file}
  first     ${result.firstNames.join(', ')}`);
		if (result.records !== companies || result.distinctIds !== companies) {
			throw new ExplainedError(
				`The sandbox holds ${companies} companies, but the export gave ${result.records} records with ${result.distinctIds} different ids.`,
			);
		}
	} catch (error) {
		console.error(`\nThe end of ${server.logFile}:\n${await server.lastLogLines()}`);
		throw error;
	}
	return { server, sandbox };
}

async function failWhenEnded(server: N8nServer): Promise<never> {
	await server.ended;
	throw new ExplainedError(
		`n8n ended by itself. The end of ${server.logFile}:\n${await server.lastLogLines()}`,
	);
}

/** Resolves on the first Ctrl-C or stop signal. The second signal ends the process at once. */
function waitForInterrupt(): Promise<'interrupted'> {
	let count = 0;
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => {
				count += 1;
				if (count > 1) process.exit(exitCodeOfInterrupt);
				resolve('interrupted');
			});
		}
	});
}
