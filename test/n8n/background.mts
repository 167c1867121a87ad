import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endWithThisProcess, killGroup } from './children.mts';
import { lastLines } from './commands.mts';
import { ExplainedError } from './errors.mts';

const readyTimeoutMs = 180_000;
/** How long a program may take to stop by itself before it is killed. */
const stopTimeoutMs = 15_000;
const pollMs = 100;
const shownLogLines = 25;

/** A program that runs until it is stopped. */
export type Background = Awaited<ReturnType<typeof startInBackground>>;

/**
 * Starts a program and waits until it can be used. It never outlives this process.
 *
 * @throws ExplainedError with the log's last lines when it ends or stays silent instead
 */
export async function startInBackground(options: {
	/** How messages call it. */
	name: string;
	file: string;
	arguments: string[];
	/** All of its environment variables. */
	environment: Record<string, string>;
	folder: string;
	/** Its output is appended, so that a restart keeps what was there. */
	logFile: string;
	/** Whether it can be used; an error is a no. */
	isReady(): Promise<boolean>;
}) {
	const { name, logFile } = options;
	await mkdir(path.dirname(logFile), { recursive: true });
	const child = spawn(options.file, options.arguments, {
		cwd: options.folder,
		env: options.environment,
		stdio: ['ignore', 'pipe', 'pipe'],
		// See endWithThisProcess.
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
		/** Where its output goes. */
		logFile,
		/** Resolves when the process has ended, whoever ended it. */
		ended,
		lastLogLines: async () => lastLines(await readFile(logFile, 'utf8'), shownLogLines),
		/** Stops it and everything it started; safe to call twice. */
		stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
			if (!hasEnded) child.kill(signal);
			await Promise.race([ended, wait(stopTimeoutMs, undefined, { ref: false })]);
			// Such as a task runner that outlived its n8n.
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
