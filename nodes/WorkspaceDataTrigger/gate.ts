/** How long n8n may take to save what a poll gave out, in ms. Polls are a minute apart, but not after a restart of n8n. */
const SAVING_MS = 20_000;

/**
 * Keeps two polls of one trigger from giving out the same records. n8n may start a poll while another is under way,
 * and with durable cursors it may give a poll the state from before the last one, which it is still saving.
 * Works within one process, which is where n8n does that.
 */
export function createGate(now: () => number) {
	const underWay = new Set<string>();
	/** By trigger: the state that the last poll with records started from, and when it gave them out, in ms. */
	const givenOut = new Map<string, { from: string; at: number }>();
	/** Does the work of a poll of this trigger (the key), which finds records; or says why it must not begin now. */
	return async <T>(key: string, state: unknown, work: () => Promise<T[]>) => {
		if (underWay.has(key)) return 'the last poll is still under way';
		const from = JSON.stringify([state]);
		const last = givenOut.get(key);
		if (last?.from === from && now() - last.at < SAVING_MS) {
			return 'n8n is still saving what the last poll returned';
		}
		underWay.add(key);
		try {
			const found = await work();
			if (found.length > 0) givenOut.set(key, { from, at: now() });
			return found;
		} finally {
			underWay.delete(key);
		}
	};
}
