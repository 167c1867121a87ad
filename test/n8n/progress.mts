import { performance } from 'node:perf_hooks';

/** Tells the person at the terminal what goes on. */
export type Progress = ReturnType<typeof createProgress>;

const tickMs = 1_000;
const plainReminderMs = 30_000;
const clearLine = '\r\u001b[2K';

/**
 * Shows steps on a terminal as one line with ticking seconds; elsewhere (a log, a pipe) as plain lines, with a
 * reminder every 30 seconds so that a long step does not look stuck.
 */
export function createProgress() {
	const { stdout } = process;

	/** Runs one step and shows its name, how long it takes, and how it ended. Passes on what the work returns or throws. */
	async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
		const started = performance.now();
		const elapsed = () => `${Math.round((performance.now() - started) / 1_000)} s`;
		const show = () =>
			stdout.write(stdout.isTTY ? `${clearLine}  ${name} … ${elapsed()}` : `  ${name} …\n`);
		show();
		const timer = setInterval(
			() => (stdout.isTTY ? show() : stdout.write(`  ${name} … still at it after ${elapsed()}\n`)),
			stdout.isTTY ? tickMs : plainReminderMs,
		);
		const end = (mark: string) =>
			stdout.write(`${stdout.isTTY ? clearLine : ''}${mark} ${name} (${elapsed()})\n`);
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

	/** Prints a line. Not to be called while a step runs. */
	const say = (line: string) => stdout.write(`${line}\n`);
	return { step, say };
}
