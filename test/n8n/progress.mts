import { performance } from 'node:perf_hooks';

/** Tells the person at the terminal what goes on. */
export interface Progress {
	/**
	 * Runs one step and shows its name, how long it takes, and how it ended. Passes on what the work returns or
	 * throws.
	 */
	step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
	/** Prints a line. Not to be called while a step runs. */
	say(line: string): void;
}

/** The part of `process.stdout` that progress needs. */
export interface ProgressStream {
	isTTY?: boolean;
	write(text: string): unknown;
}

const tickMs = 1_000;
const plainReminderMs = 30_000;
const clearLine = '\r\u001b[2K';

/**
 * Shows steps on a terminal as one line with ticking seconds; elsewhere (a log, a pipe) as plain lines, with a
 * reminder every 30 seconds so that a long step does not look stuck.
 */
export function createProgress(stream: ProgressStream = process.stdout): Progress {
	const interactive = stream.isTTY === true;

	async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
		const started = performance.now();
		const elapsed = () => `${Math.round((performance.now() - started) / 1_000)} s`;
		const show = () =>
			stream.write(interactive ? `${clearLine}  ${name} … ${elapsed()}` : `  ${name} …\n`);
		show();
		const timer = setInterval(
			() => (interactive ? show() : stream.write(`  ${name} … still at it after ${elapsed()}\n`)),
			interactive ? tickMs : plainReminderMs,
		);
		const end = (mark: string) =>
			stream.write(`${interactive ? clearLine : ''}${mark} ${name} (${elapsed()})\n`);
		try {
			const result = await work();
			end('✓');
			return result;
		} catch (error) {
			end('✗');
			throw error;
		} finally {
			clearInterval(timer);
		}
	}

	return { step, say: (line) => stream.write(`${line}\n`) };
}
