import { sandboxCredentials } from '../sandbox/server.mts';
import type { CallSizes, RunResult, Sizes } from './bench-n8n.mts';

interface Envelope {
	data: { items: Record<string, unknown>[] };
	meta: { pagination: { next_cursor?: string } };
}

const headers = {
	authorization: `Bearer ${sandboxCredentials.v2Full}`,
	'content-type': 'application/json',
};

/**
 * Reads a list without n8n, retries or checks, which is the least work that reading a list can take. Sends one request
 * after the other, and keeps all records in memory. Returns the duration in seconds and the last record.
 */
export async function readWithFetch(
	baseUrl: string,
	{ records, pageSize }: Sizes,
): Promise<RunResult> {
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

/** Sends enrich calls in parallel without n8n, retries or checks. Returns the duration in seconds. */
export async function callWithFetch(baseUrl: string, sizes: CallSizes): Promise<number> {
	const { items, maxConcurrent, company } = sizes;
	const started = performance.now();
	const results: unknown[] = [];
	let next = 0;
	const work = async (): Promise<void> => {
		while (next < items) {
			const index = next++;
			const body = JSON.stringify({ domain: `${company}-${index}.example` });
			const response = await fetch(`${baseUrl}/v2/enrich`, { method: 'POST', headers, body });
			results[index] = await response.json();
		}
	};
	await Promise.all(Array.from({ length: maxConcurrent }, work));
	return (performance.now() - started) / 1_000;
}
