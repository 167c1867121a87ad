import { performance } from 'node:perf_hooks';

/** Functions that print the progress of a long command. */
export type Progress = ReturnType<typeof createProgress>;

const tickMs = 1_000;
const plainReminderMs = 30_000;
const clearLine = '\r\u001b[2K';

/**
 * Creates the functions that print progress messages. On a terminal, each step is one line that counts seconds. In a
 * log or a pipe, a reminder every 30 seconds shows that a long step still runs.
 */
export function createProgress() {
	const { stdout } = process;

	/**
	 * Runs one step, and prints its name, duration and outcome. Returns the result of the step, or throws its error.
	 */
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

	/** Prints a line. Must not be called while a step is running. */
	const say = (line: string) => stdout.write(`${line}\n`);
	return { step, say };
}
