import { describe, expect, it } from 'vitest';

import type { RequestLimits } from '../../../../nodes/shared/client/api.ts';
import { CursorReader } from '../../../../nodes/shared/lists/by-cursor.ts';
import { readByNumber, type NumberPaging } from '../../../../nodes/shared/lists/by-number.ts';
import { readNewest } from '../../../../nodes/shared/lists/newest.ts';
import {
	LIST_PARAMETERS,
	type List,
	type ListSource,
	type Page,
} from '../../../../nodes/shared/lists/page.ts';
import type { CursorSettings } from '../../../../nodes/shared/lists/position.ts';
import { serve, type ListModel } from './list-model.mts';
import { listOf } from './read-pages.mts';

/** Parameters that the user adds to every page request. */
type Asked = Omit<ListSource, 'endpoint' | 'objectType'>;
/** Options of all readers. The node rejects an option before it calls a reader that does not support it. */
type Options = Partial<Omit<CursorSettings, 'isFollowed'>> &
	Partial<Omit<NumberPaging, 'mode'>> &
	Partial<Pick<List, 'signal'>> & { source?: Asked; timeoutMs?: number };

const USUAL = { mode: 'cursor', sort: 'created_at', pageSize: 20 } as const;
const numbered = { ...USUAL, mode: 'page', firstPage: 1 } as const;
const READERS = {
	'by cursor': (list: List, options: Options) =>
		new CursorReader(list, { ...USUAL, ...options }).pages(),
	'by number': (list: List, options: Options) => readByNumber(list, { ...numbered, ...options }),
	'from the end': async (list: List, options: Options) =>
		await readNewest(list, { ...USUAL, ...options }),
};
type Reader = keyof typeof READERS;

/** Result of reading a list of 60 records: the returned records, and the requests. */
interface Read {
	records: Array<{ n: number; created_at: string }>;
	requests: Array<Record<string, unknown>>;
	limits: RequestLimits[];
	/** Whether each request was sent before its abort signal fired. */
	wanted: boolean[];
	/** Number of requests that had been sent when each page was returned. */
	sentBefore: number[];
}

async function read(reader: Reader, options: Options, model: Partial<ListModel> = {}) {
	const { servePage } = serve({ records: 60, ...model });
	const found: Read = { records: [], requests: [], limits: [], wanted: [], sentBefore: [] };
	const { timeoutMs = 60_000, signal, source: asked, ...paging } = options;
	const list = listOf(async (request, limits, ended) => {
		found.requests.push({ ...request });
		found.limits.push(limits);
		found.wanted.push(ended?.aborted !== true);
		const known = Object.entries(request).filter(([name]) =>
			LIST_PARAMETERS.some((one) => one === name),
		);
		return await servePage(Object.fromEntries(known) as typeof request);
	});
	const source = { ...list.source, ...asked };
	const limits = () => ({ ...list.limits(), timeoutMs });
	for await (const page of await READERS[reader]({ ...list, source, limits, signal }, paging)) {
		found.records.push(...((page as Page).envelope.data.items as unknown as Read['records']));
		found.sentBefore.push(found.requests.length);
	}
	return found;
}

interface Row {
	/** Readers that support the option. All readers by default. */
	readers?: Reader[];
	options: Options;
	model?: Partial<ListModel>;
	/**
	 * Returns the part of the result that depends on the option. Without the option, this part differs or reading
	 * fails.
	 */
	seen: (read: Read) => unknown;
	expected: unknown;
}

const valuesOf = (name: string) => (one: Read) => [
	...new Set(one.requests.filter((request) => !('cursor' in request)).map((each) => each[name])),
];
const placesOf = ({ records }: Read) => records.map(({ n }) => n).sort((a, b) => a - b);
const { records: all } = await read('by cursor', {});
const middle = Date.parse(all[30].created_at);
const datedBy = (isIn: (time: number) => boolean) =>
	all.filter((record) => isIn(Date.parse(record.created_at))).map(({ n }) => n);
const byCursor: Reader[] = ['by cursor'];
const byNumber: Reader[] = ['by number'];
const places = all.map(({ n }) => n);

/** One row per option. A new option without a row does not compile. */
const ROWS: Record<
	keyof Omit<Options, 'range' | 'source'> | `range.${'after' | 'before'}` | `source.${keyof Asked}`,
	Row
> = {
	limit: { options: { limit: 7 }, seen: ({ records }) => records.length, expected: 7 },
	'range.after': {
		options: { range: { after: middle } },
		seen: placesOf,
		expected: datedBy((time) => time > middle),
	},
	'range.before': {
		options: { range: { before: middle } },
		seen: placesOf,
		expected: datedBy((time) => time <= middle),
	},
	pageSize: { options: { pageSize: 15 }, seen: valuesOf('limit'), expected: [15] },
	sort: { options: { sort: 'updated_at' }, seen: valuesOf('sort'), expected: ['updated_at'] },
	'source.additional': {
		options: { source: { additional: { own: 'x' } } },
		seen: valuesOf('own'),
		expected: ['x'],
	},
	timeoutMs: {
		options: { timeoutMs: 5 },
		seen: ({ limits }) => [...new Set(limits.map(({ timeoutMs }) => timeoutMs))],
		expected: [5],
	},
	signal: {
		options: { signal: AbortSignal.abort() },
		seen: ({ wanted }) => wanted.some(Boolean),
		expected: false,
	},
	ignoreTotal: {
		readers: ['by cursor', 'by number'],
		options: { ignoreTotal: true },
		model: { total: { factor: 1.1 } },
		seen: placesOf,
		expected: places,
	},
	startCursor: {
		readers: byCursor,
		options: { startCursor: await secondCursor() },
		seen: placesOf,
		expected: places.slice(20),
	},
	maxPerPage: {
		readers: byCursor,
		options: { maxPerPage: 12 },
		seen: valuesOf('limit'),
		expected: [12],
	},
	readsAhead: {
		readers: byCursor,
		options: { readsAhead: true },
		seen: ({ sentBefore }) => sentBefore[0],
		expected: 2,
	},
	firstPage: {
		readers: byNumber,
		options: { firstPage: 2 },
		seen: placesOf,
		expected: places.slice(20),
	},
	sortKey: {
		readers: byNumber,
		options: { sortKey: 'updated_at' },
		seen: valuesOf('sort'),
		expected: ['updated_at'],
	},
};

async function secondCursor(): Promise<string> {
	const { requests } = await read('by cursor', {});
	return String(requests[1].cursor);
}

const names = Object.keys(READERS) as Reader[];

describe.each(names)('a list read %s', (reader) => {
	const rows = Object.entries(ROWS).filter(([, { readers = names }]) => readers.includes(reader));

	it.each(rows)('applies the option %s', async (_option, { options, model, seen, expected }) => {
		expect(seen(await read(reader, options, model))).toEqual(expected);
		const without = await read(reader, {}, model).then(seen, (error: unknown) => error);
		expect(without, 'without it').not.toEqual(expected);
	});
});
