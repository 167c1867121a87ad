import type { ListEnvelope, Client, RequestLimits } from '../../../../nodes/shared/client/api.ts';
import { ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { CursorReader } from '../../../../nodes/shared/lists/by-cursor.ts';
import type { CursorPaging, CursorSettings } from '../../../../nodes/shared/lists/position.ts';
import { readByNumber, type NumberPaging } from '../../../../nodes/shared/lists/by-number.ts';
import type { List, Page, PageRequest } from '../../../../nodes/shared/lists/page.ts';
import { exactTexts } from './list-model.mts';

/** Simulated service: a function that returns the response to a page request. */
export type ServePage = (
	request: PageRequest,
	limits: RequestLimits,
	signal?: AbortSignal,
) => Promise<ListEnvelope>;

/** Options for reading a list. The node's defaults apply to missing options. */
export type ReadOptions =
	| (CursorPaging & Partial<Omit<CursorSettings, keyof CursorPaging>>)
	| NumberPaging;

const LIMITS = { maxRetries: 6, maxWaitMs: 300_000, timeoutMs: 60_000 };

/** Creates a list whose responses come from a function of the test. */
export function listOf(serve: ServePage): List {
	const client: Client = async ({ query }, ...more) => {
		const body = await serve(query as unknown as PageRequest, ...more);
		return { body, text: exactTexts.get(body) ?? JSON.stringify(body) };
	};
	const source = { endpoint: { method: 'GET', path: '/list' } } as const;
	return { client, source, limits: () => LIMITS };
}

/** Reads a list by cursor or by page number, and yields its pages. */
export function readPages(serve: ServePage, options: ReadOptions): AsyncGenerator<Page, void> {
	const list = listOf(serve);
	if (options.mode === 'page') return readByNumber(list, options);
	return new CursorReader(list, options).pages();
}

/** Creates a response with one page. The ids of its records are the numbers from `from` to `to - 1`. */
export function envelope(
	from: number,
	to: number,
	pagination: Record<string, unknown>,
): ListEnvelope {
	const items = Array.from({ length: to - from }, (_none, index) => ({ id: from + index }));
	return { success: true, data: { items }, meta: { pagination, ctx_id: 'ctx-1' } };
}

/**
 * Result of reading a list: its pages, the ids of the records, the requests, and the failure that ended the reading.
 */
export interface ReadList {
	pages: Page[];
	ids: unknown[];
	asked: PageRequest[];
	failure?: ServiceFailure;
}

/**
 * Reads a list with these responses, in this order, until the list ends or fails. Throws if another request follows.
 */
export async function readAnswers(
	options: ReadOptions,
	answers: Array<ListEnvelope | Error>,
): Promise<ReadList> {
	const left = [...answers];
	return await readAll(options, async (request) => {
		const answer = left.shift();
		if (answer === undefined) throw new Error(`one request too many: ${JSON.stringify(request)}`);
		if (answer instanceof Error) throw answer;
		return answer;
	});
}

/** Reads a list until it ends or fails. Returns a ServiceFailure, but rethrows any other error. */
export async function readAll(options: ReadOptions, serve: ServePage): Promise<ReadList> {
	const asked: PageRequest[] = [];
	const pages: Page[] = [];
	let failure: ServiceFailure | undefined;
	const served: ServePage = async (...request) => {
		asked.push(request[0]);
		return await serve(...request);
	};
	try {
		for await (const page of readPages(served, options)) pages.push(page);
	} catch (error) {
		if (!(error instanceof ServiceFailure)) throw error;
		failure = error;
	}
	const ids = pages.flatMap(({ envelope: { data } }) => data.items.map(({ id }) => id));
	return { pages, ids, asked, failure };
}
