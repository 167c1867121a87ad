import path from 'node:path';
import { execa } from 'execa';
import { endWithThisProcess } from './children.mts';
import { ExplainedError } from './errors.mts';

/** Number of lines to show from the end of a failed command's output. */
const shownLines = 15;

/**
 * Environment variables with npm settings that child processes do not inherit. These settings would change what npm
 * does in a child process, for example the folder into which npm installs packages. The registry, cache and proxy
 * settings are inherited.
 */
const leftOutSettings = new Set([
	'npm_config_dry_run',
	'npm_config_global',
	'npm_config_ignore_scripts',
	'npm_config_local_prefix',
	'npm_config_omit',
	'npm_config_offline',
	'npm_config_prefix',
	'npm_config_production',
	'npm_config_workspace',
	'npm_config_workspaces',
]);

/** Returns the environment variables for a child process, with the current Node.js first in PATH. */
export function childEnvironment(): Record<string, string> {
	const environment: Record<string, string> = {};
	for (const [name, value] of Object.entries(process.env)) {
		if (value !== undefined && !leftOutSettings.has(name.toLowerCase())) environment[name] = value;
	}
	const nodeFolder = path.dirname(process.execPath);
	environment.PATH = [nodeFolder, environment.PATH ?? ''].join(path.delimiter);
	return environment;
}

/**
 * Runs npm and returns its output.
 * @param command npm's `arguments`, the `folder` to run in, the `purpose` as the start of a sentence ("Installing
 * n8n"), and additional variables for the `environment`
 * @throws ExplainedError with npm's last lines, and with advice if the network or the disk is the reason
 */
export async function runNpm(command: {
	arguments: string[];
	folder: string;
	purpose: string;
	environment?: Record<string, string>;
}): Promise<string> {
	const result = await runToItsEnd('npm', command.arguments, {
		folder: command.folder,
		environment: { ...childEnvironment(), ...command.environment },
	});
	if (!result.failed) return result.stdout;
	const output = `${result.stdout}\n${result.stderr}`.replaceAll(/^npm error +at .*$/gm, '');
	const printed = lastLines(output, shownLines);
	throw new ExplainedError(
		`${command.purpose} failed (npm ${command.arguments.join(' ')}). ${adviceFor(result.stderr)}\n${printed || result.shortMessage}`,
	);
}

/**
 * Runs a command with exactly the given environment variables. Returns the output, even if the command fails. The
 * command also ends if the current process ends.
 */
export async function runToItsEnd(
	file: string,
	commandArguments: string[],
	{ folder, environment }: { folder: string; environment: Record<string, string> },
) {
	const child = execa(file, commandArguments, {
		cwd: folder,
		env: environment,
		extendEnv: false,
		reject: false,
		stdin: 'ignore',
		detached: true,
	});
	endWithThisProcess(child);
	return await child;
}

function adviceFor(printed: string): string {
	if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.test(printed)) {
		return 'The npm registry cannot be reached: connect to the network (or set npm\'s "registry" or "proxy" setting) and run the command again; it starts over cleanly.';
	}
	if (/\bENOSPC\b/.test(printed)) {
		return 'The disk is full: free some space and run the command again; it starts over cleanly.';
	}
	return 'npm said:';
}

/** Returns the last `count` non-empty lines of a string. */
export function lastLines(text: string, count: number): string {
	return text
		.split('\n')
		.filter((line) => line.trim() !== '')
		.slice(-count)
		.join('\n');
}
