import { performance } from 'node:perf_hooks';

/** Progress messages for the user at the terminal. */
export type Progress = ReturnType<typeof createProgress>;

const tickMs = 1_000;
const plainReminderMs = 30_000;
const clearLine = '\r\u001b[2K';

/**
 * Creates progress messages. On a terminal, each step is one line with ticking seconds. In a log or a pipe, each step
 * is plain lines, with a reminder every 30 seconds so that a long step does not look stuck.
 */
export function createProgress() {
	const { stdout } = process;

	/** Runs one step. Shows its name, its duration and its outcome. Returns or throws the result of the work. */
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

	/** Prints a line. Must not be called while a step runs. */
	const say = (line: string) => stdout.write(`${line}\n`);
	return { step, say };
}
