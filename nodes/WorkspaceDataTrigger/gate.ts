/** How long n8n may take to save what a poll returned, in ms. */
const SAVING_MS = 20_000;

/**
 * Keeps two polls of one trigger from returning the same records. n8n may start a poll while another is under way; and
 * with durable cursors it may give a poll the state from before the last one, which it is still saving. It does so within
 * one process, so a gate in memory is enough.
 */
export function createGate(now: () => number) {
	const underWay = new Set<string>();
	/** By trigger: the state that the last poll with records started from, and when it returned them, in ms. */
	const returned = new Map<string, { from: string; at: number }>();
	/** Lets a poll find records, of the trigger with this key, or says why it must not begin now. */
	return async <T>(key: string, state: unknown, work: () => Promise<T[]>) => {
		if (underWay.has(key)) return 'the last poll is still under way';
		const from = JSON.stringify([state]);
		const last = returned.get(key);
		if (last?.from === from && now() - last.at < SAVING_MS) {
			return 'n8n is still saving what the last poll returned';
		}
		underWay.add(key);
		try {
			const found = await work();
			if (found.length > 0) returned.set(key, { from, at: now() });
			return found;
		} finally {
			underWay.delete(key);
		}
	};
}
