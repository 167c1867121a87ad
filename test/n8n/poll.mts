import { setTimeout as wait } from 'node:timers/promises';

const pauseMs = 100;

/**
 * Calls a function repeatedly until it returns a result. Throws after the timeout.
 * @param what description of the result, for the error message after the timeout
 * @param ask returns undefined while there is no result
 */
export async function poll<Answer>(
	what: string,
	ask: () => Promise<Answer | undefined> | Answer | undefined,
	timeoutMs: number,
): Promise<Answer> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs / 1_000} s for ${what}`);
		await wait(pauseMs);
	}
}

/** Calls a function repeatedly until it returns true. Throws after the timeout. */
export async function waitUntil(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	timeoutMs: number,
): Promise<void> {
	await poll(what, async () => (await isSo()) || undefined, timeoutMs);
}
