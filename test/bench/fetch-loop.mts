import { sandboxCredentials } from '../sandbox/server.mts';
import type { RunAnswer, Sizes } from './bench-n8n.mts';

interface Envelope {
	data: { items: Record<string, unknown>[] };
	meta: { pagination: { next_cursor?: string } };
}

/**
 * The least that reading a list can cost in this Node: one request after the other, JSON.parse, all records kept
 * as items. No retries, no checks, no n8n. Answers the last record.
 */
export async function readWithFetch(
	baseUrl: string,
	{ records, pageSize }: Sizes,
): Promise<RunAnswer> {
	const started = performance.now();
	const headers = { authorization: `Bearer ${sandboxCredentials.v2Full}` };
	const items: { json: Record<string, unknown> }[] = [];
	let query = 'sort=updated_at';
	while (items.length < records) {
		const url = `${baseUrl}/v2/public/companies?limit=${pageSize}&${query}`;
		const envelope = (await (await fetch(url, { headers })).json()) as Envelope;
		for (const json of envelope.data.items) items.push({ json });
		const cursor = envelope.meta.pagination.next_cursor;
		if (cursor === undefined) break;
		query = `cursor=${encodeURIComponent(cursor)}`;
	}
	return { seconds: (performance.now() - started) / 1_000, json: items.at(-1)?.json ?? {} };
}
