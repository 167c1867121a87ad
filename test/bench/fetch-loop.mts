import { sandboxCredentials } from '../sandbox/server.mts';
import type { CallSizes, RunAnswer, Sizes } from './bench-n8n.mts';

interface Envelope {
	data: { items: Record<string, unknown>[] };
	meta: { pagination: { next_cursor?: string } };
}

const headers = {
	authorization: `Bearer ${sandboxCredentials.v2Full}`,
	'content-type': 'application/json',
};

/**
 * The least that reading a list can cost in this Node: one request after the other, JSON.parse, all records kept
 * as items. No retries, no checks, no n8n. Answers the last record.
 */
export async function readWithFetch(
	baseUrl: string,
	{ records, pageSize }: Sizes,
): Promise<RunAnswer> {
	const started = performance.now();
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

/** The least that so many calls can cost, so many of them at once. Answers the seconds that they took. */
export async function callWithFetch(baseUrl: string, sizes: CallSizes): Promise<number> {
	const { items, maxConcurrent, company } = sizes;
	const started = performance.now();
	const results: unknown[] = [];
	let next = 0;
	const work = async (): Promise<void> => {
		while (next < items) {
			const place = next++;
			const body = JSON.stringify({ domain: `${company}-${place}.example` });
			const answer = await fetch(`${baseUrl}/v2/enrich`, { method: 'POST', headers, body });
			results[place] = await answer.json();
		}
	};
	await Promise.all(Array.from({ length: maxConcurrent }, work));
	return (performance.now() - started) / 1_000;
}
