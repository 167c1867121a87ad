import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ListEnvelope, Pagination } from '../../../nodes/client/api.ts';
import type { Page, PageRequest } from '../../../nodes/client/pages.ts';
import { readPages } from './read-pages.mts';

/** A record of the model service. Many share one date. */
interface ModelRecord extends Record<string, unknown> {
	id: string;
	created_at: string;
}

interface Model {
	/** In the order of (date, id), as docs/maintainers/api.md says under Paging. */
	records: ModelRecord[];
	/** The most records that the service puts on a page, whatever is asked for. */
	mostPerPage: number;
	/** Whether a page that ends exactly at the last record still carries a cursor, to an empty page. */
	trailingCursor: boolean;
}

const SORT_KEY = 'name';

const model: fc.Arbitrary<Model> = fc.record({
	// Few dates, so that ties are the rule.
	records: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 60 }).map((dates) =>
		dates
			.map((day, index) => ({
				id: `id-${String(index).padStart(3, '0')}`,
				created_at: `2026-01-0${day + 1}T00:00:00Z`,
			}))
			.sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id)),
	),
	mostPerPage: fc.integer({ min: 1, max: 25 }),
	trailingCursor: fc.boolean(),
});

/** A cursor names the last record that was given, as (date, id). */
const cursorAfter = ({ created_at, id }: ModelRecord): string =>
	btoa(JSON.stringify([created_at, id]));

function placeAfter(records: ModelRecord[], cursor: string): number {
	const [date, id] = JSON.parse(atob(cursor)) as [string, string];
	const place = records.findIndex((record) => record.created_at === date && record.id === id);
	if (place < 0) throw new Error(`a cursor that the service never gave: ${cursor}`);
	return place + 1;
}

/** The service of docs/maintainers/api.md, Paging. Throws where a request breaks its rules; keeps each request. */
function serve(service: Model): {
	asked: PageRequest[];
	fetchPage: (request: PageRequest) => Promise<ListEnvelope>;
} {
	const asked: PageRequest[] = [];
	const fetchPage = async (request: PageRequest): Promise<ListEnvelope> => {
		if (asked.includes(request)) throw new Error('the same request object twice');
		asked.push(Object.freeze(request));
		if ('cursor' in request && ('page' in request || 'sort' in request)) {
			throw new Error('a cursor together with page or sort');
		}
		if (!Number.isSafeInteger(request.limit) || request.limit < 1) throw new Error('limit');
		return 'page' in request ? byNumber(service, request) : byCursor(service, request);
	};
	return { asked, fetchPage };
}

function envelopeOf(items: ModelRecord[], pagination: Pagination): ListEnvelope {
	const copies = items.map((record) => ({ ...record }));
	return { success: true, data: { items: copies }, meta: { pagination } };
}

function byCursor(
	{ records, mostPerPage, trailingCursor }: Model,
	request: { limit: number; sort: string } | { limit: number; cursor: string },
): ListEnvelope {
	if ('sort' in request && request.sort !== 'created_at') throw new Error('sort');
	const start = 'cursor' in request ? placeAfter(records, request.cursor) : 0;
	const pageSize = Math.min(request.limit, mostPerPage);
	const items = records.slice(start, start + pageSize);
	const left = records.length - start - items.length;
	const more = left > 0 || (trailingCursor && items.length === pageSize);
	return envelopeOf(items, {
		page: 1,
		page_size: pageSize,
		total: records.length,
		...(more ? { next_cursor: cursorAfter(items[items.length - 1]) } : {}),
	});
}

function byNumber(
	{ records, mostPerPage }: Model,
	request: { limit: number; page: number; sort?: string },
): ListEnvelope {
	if (request.sort !== undefined && request.sort !== SORT_KEY) throw new Error('sort');
	const pageSize = Math.min(request.limit, mostPerPage);
	const start = (request.page - 1) * pageSize;
	const items = records.slice(start, start + pageSize);
	return envelopeOf(items, { page: request.page, page_size: pageSize, total: records.length });
}

/** Every page, checked for its own bookkeeping. */
async function readAll(pages: AsyncGenerator<Page>): Promise<{ read: Page[]; ids: unknown[] }> {
	const read: Page[] = [];
	const ids: unknown[] = [];
	for await (const page of pages) {
		read.push(page);
		ids.push(...page.envelope.data.items.map(({ id }) => id));
		expect(page.number).toBe(read.length);
		expect(page.recordsRead).toBe(ids.length);
	}
	return { read, ids };
}

const idsOf = (records: ModelRecord[]): string[] => records.map(({ id }) => id);
const pageSize = fc.integer({ min: 1, max: 30 });
const maximum = fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined });

describe('readPages by cursor, against a model service', () => {
	const startAt = fc.option(fc.nat(59), { nil: undefined });

	it('gives each record exactly once, in order, up to the exact maximum', async () => {
		await fc.assert(
			fc.asyncProperty(model, pageSize, maximum, startAt, async (service, size, most, at) => {
				const { records } = service;
				const start = at === undefined || records.length === 0 ? 0 : (at % records.length) + 1;
				const startCursor = start === 0 ? undefined : cursorAfter(records[start - 1]);
				const { asked, fetchPage } = serve(service);
				const options = { mode: 'cursor', sort: 'created_at', pageSize: size } as const;
				const { read, ids } = await readAll(
					readPages(fetchPage, { ...options, maximum: most, startCursor }),
				);
				const end = most === undefined ? undefined : start + most;
				expect(ids).toEqual(idsOf(records.slice(start, end)));
				expect(asked.filter((request) => 'sort' in request)).toHaveLength(
					startCursor === undefined ? 1 : 0,
				);
				asked.forEach(({ limit }, index) => {
					const before = index === 0 ? 0 : read[index - 1].recordsRead;
					expect(limit).toBe(Math.min(size, (most ?? Infinity) - before));
				});
			}),
			{ numRuns: 300 },
		);
	});

	it('goes on exactly where any page ended, by the cursor of that page', async () => {
		await fc.assert(
			fc.asyncProperty(model, pageSize, fc.nat(80), maximum, async (service, size, stop, most) => {
				const options = { mode: 'cursor', sort: 'created_at', pageSize: size } as const;
				const { fetchPage } = serve(service);
				const { read } = await readAll(readPages(fetchPage, { ...options, maximum: most }));
				const { recordsRead, nextCursor } = read[stop % read.length];
				if (nextCursor === undefined) return;
				const rest = readPages(serve(service).fetchPage, { ...options, startCursor: nextCursor });
				expect((await readAll(rest)).ids).toEqual(idsOf(service.records.slice(recordsRead)));
			}),
			{ numRuns: 300 },
		);
	});
});

describe('readPages by page number, against a model service', () => {
	it('gives each record exactly once, in order, up to the exact maximum', async () => {
		const firstPage = fc.integer({ min: 1, max: 9 });
		const sortKey = fc.constantFrom(undefined, SORT_KEY);
		await fc.assert(
			fc.asyncProperty(
				model,
				pageSize,
				maximum,
				firstPage,
				sortKey,
				async (service, size, most, first, key) => {
					const { asked, fetchPage } = serve(service);
					const options = { mode: 'page', pageSize: size, maximum: most } as const;
					const { ids } = await readAll(
						readPages(fetchPage, { ...options, firstPage: first, sortKey: key }),
					);
					const served = Math.min(size, service.mostPerPage);
					const start = (first - 1) * served;
					const expected = service.records.slice(start, start + (most ?? Infinity));
					expect(ids).toEqual(idsOf(expected));
					const smallest = first === 1 && most !== undefined ? Math.min(served, most) : served;
					expect(asked.length).toBe(Math.max(1, Math.ceil(expected.length / smallest)));
					expect(asked.map((request) => ('page' in request ? request.page : 0))).toEqual(
						asked.map((_request, index) => first + index),
					);
					expect(asked.every((request) => 'sort' in request === (key !== undefined))).toBe(true);
					// The place of a page depends on its size, so one size holds for the whole run.
					expect(new Set(asked.map(({ limit }) => limit)).size).toBe(1);
					if (first === 1 && most !== undefined) expect(asked[0].limit).toBeLessThanOrEqual(most);
				},
			),
			{ numRuns: 300 },
		);
	});
});
