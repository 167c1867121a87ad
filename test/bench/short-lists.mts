import type { Setup } from './timing.mts';
import { inTurns } from './turns.mts';
import { n8nNodes, type Rival, type ShortListsCase, type ShortListsResult } from './types.mts';

const workflows = { node: 'shortLists', httpRequest: 'shortListsHttp' } as const;

/** Measures how long the node and HTTP Request take to read a short list for each of many input items. */
export async function benchShortLists(
	{ sandbox, n8n, say }: Setup,
	shortLists: ShortListsCase,
): Promise<ShortListsResult> {
	const { lists, records, latencyMs, rounds } = shortLists;
	const seconds: Record<Rival, number[]> = { node: [], httpRequest: [] };
	const measure = async (rival: Rival): Promise<void> => {
		await sandbox.takeRequestCount();
		const { json, seconds: taken } = await n8n.run(workflows[rival], {
			items: lists,
			company: 'list',
		});
		const requests = await sandbox.takeRequestCount();
		if (requests !== lists || json.count_id !== lists * records)
			throw new Error(`${rival} read ${String(json.count_id)} records by ${requests} requests`);
		seconds[rival].push(taken);
		say(`${lists} lists of ${records} records, ${latencyMs} ms: ${rival} ${taken.toFixed(2)} s`);
	};
	await sandbox.set(latencyMs);
	// The first run of each workflow warms up n8n and the compilers, so its time does not count.
	for (const rival of n8nNodes) await measure(rival);
	for (const rival of n8nNodes) seconds[rival].length = 0;
	const nextRound = inTurns(n8nNodes, measure);
	for (let round = 0; round < rounds; round++) await nextRound();
	await sandbox.set(0);
	return { ...shortLists, seconds };
}
