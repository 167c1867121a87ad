import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endWithThisProcess, killGroup } from './children.mts';
import { lastLines } from './commands.mts';
import { ExplainedError } from './errors.mts';

const readyTimeoutMs = 180_000;
/** Time in ms after which a program that does not stop is killed. */
const stopTimeoutMs = 15_000;
const pollMs = 100;
const shownLogLines = 25;

/** Program that runs in the background until it is stopped. */
export type Background = Awaited<ReturnType<typeof startInBackground>>;

/**
 * Starts a program and waits until it is ready. The program also ends if the current process ends.
 * @throws ExplainedError with the last lines of the log if the program ends or does not become ready in time
 */
export async function startInBackground(options: {
	/** Name of the program in messages. */
	name: string;
	file: string;
	arguments: string[];
	/** All environment variables of the program. */
	environment: Record<string, string>;
	folder: string;
	/** Log file to which the program's output is appended. */
	logFile: string;
	/** Checks whether the program is ready. An error counts as "not ready". */
	isReady(): Promise<boolean>;
}) {
	const { name, logFile } = options;
	await mkdir(path.dirname(logFile), { recursive: true });
	const child = spawn(options.file, options.arguments, {
		cwd: options.folder,
		env: options.environment,
		stdio: ['ignore', 'pipe', 'pipe'],
		// Start the child in its own process group, because `endWithThisProcess` kills the whole group.
		detached: true,
	});
	const log = createWriteStream(logFile, { flags: 'a' });
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	endWithThisProcess(child);
	let hasEnded = false;
	const ended = new Promise<void>((resolve) => {
		const finish = () => {
			hasEnded = true;
			log.end(resolve);
		};
		child.once('close', finish);
		child.once('error', finish);
	});
	const background = {
		processId: child.pid ?? 0,
		/** File with the output of the program. */
		logFile,
		/** Promise that resolves when the process has ended, for any reason. */
		ended,
		lastLogLines: async () => lastLines(await readFile(logFile, 'utf8'), shownLogLines),
		/** Stops the program and all its child processes. A second call does no harm. */
		stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
			if (!hasEnded) child.kill(signal);
			await Promise.race([ended, wait(stopTimeoutMs, undefined, { ref: false })]);
			// Kill the whole process group, because a child process such as n8n's task runner can outlive the program.
			killGroup(child);
			await ended;
		},
	};

	const deadline = Date.now() + readyTimeoutMs;
	while (!hasEnded && Date.now() < deadline) {
		if (await options.isReady().catch(() => false)) return background;
		await wait(pollMs);
	}
	const happened = hasEnded
		? 'ended while starting'
		: `did not answer within ${readyTimeoutMs / 1_000} seconds`;
	await background.stop();
	throw new ExplainedError(
		`${name} ${happened}. The end of ${logFile}:\n${await background.lastLogLines()}`,
	);
}
