/** How long n8n may take to save what a poll returned, in ms. */
const SAVING_MS = 20_000;

/** Keeps polls of a trigger apart: n8n may start one while another is under way, or while it saves the state. */
export function createGate(now: () => number) {
	const underWay = new Set<string>();
	/** By trigger: the state that the last poll with records started from, and when it ended. */
	const returned = new Map<string, { from: string; at: number }>();
	/** What `work` finds, or why it must not begin now; `key` is that of the trigger. */
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
