import { setTimeout as wait } from 'node:timers/promises';

const pauseMs = 100;

/**
 * Asks again and again until there is an answer.
 *
 * @param what is waited for, as the error says it
 * @param ask gives undefined as long as there is none
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

/** The same until the answer is yes. */
export async function waitUntil(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	timeoutMs: number,
): Promise<void> {
	await poll(what, async () => (await isSo()) || undefined, timeoutMs);
}
