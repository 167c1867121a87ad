// nodes/changes/: following a list of records while it changes. Pure: no clock, nothing of n8n.

import type { ListEnvelope } from '../client/api';
import { isRefusal, ServiceFailure } from '../client/failures';
import { bestLimit, isCount } from '../client/number-pages';
import type { PollNote, PollSettings, Reader } from './settings';
import { freshState, pack, type TriggerState } from './state';

/** Records asked for to learn which are the newest; half of them at the least come back. */
const NEWEST_WANTED = 100;
/** How often the last page is asked for before the service counts as one that has none. */
const MOST_ATTEMPTS = 4;

/** The end of the list. */
export interface Newest {
	/** In the service's order; empty when the service does not tell which are the newest. */
	records: Array<Record<string, unknown>>;
	/** True when these are all records that there are. */
	isAll: boolean;
}

/**
 * The state that a trigger starts with. It asks the service once for its newest records: they tell what exists
 * already (`startFrom: now`), and that everything much older can no longer be joined by late commits.
 *
 * @throws ServiceFailure
 */
export async function begin(
	reader: Reader,
	settings: Pick<PollSettings, 'fingerprint' | 'owner' | 'startFrom'>,
): Promise<{ state: TriggerState; notes: PollNote[] }> {
	const state = freshState(settings.fingerprint, settings.owner);
	const first = await reader.first(NEWEST_WANTED);
	const { next_cursor: next, total } = first.meta.pagination;
	// An empty page says nothing of a list that is not empty, or does not say so.
	if (first.data.items.length === 0 && !next && total === 0) return { state, notes: [] };
	const { records, isAll } = await readNewest(reader, first, NEWEST_WANTED);
	const versions = records.map(reader.versionOf);
	const times = versions.map(({ time }) => time).filter((time) => time !== null);
	if (times.length > 0) state.newest = Math.max(...times);
	if (settings.startFrom === 'beginning') return { state, notes: [] };
	const isOneDate = Math.min(...times) === Math.max(...times);
	// Where all of them share one date, what exists with that date could not be told from what comes with it.
	if (times.length === 0 || (isOneDate && !isAll)) {
		return {
			state: { ...state, seeding: { upTo: null, known: '' } },
			notes: [{ kind: 'newestUnknown' }],
		};
	}
	// Where the page holds all records, none that shares its oldest date existed besides those on it.
	const upTo = Math.min(...times) - (isAll ? 1 : 0);
	const later = versions.filter(({ time }) => time !== null && time > upTo);
	return {
		state: { ...state, seeding: { upTo, known: pack(later.map(({ digest }) => digest)) } },
		notes: [],
	};
}

/**
 * The newest records, oldest of them first, by asking for the last numbered page.
 *
 * @param first the first page, asked for with `wanted`
 * @param wanted the most records to ask for
 * @throws ServiceFailure for anything but a refusal of such pages
 */
export async function readNewest(
	reader: Reader,
	first: ListEnvelope,
	wanted: number,
): Promise<Newest> {
	const unknown: Newest = { records: [], isAll: false };
	let { total } = first.meta.pagination;
	// A service may give fewer records than it was asked for, and need not say so: the first page shows how many.
	let most = Math.min(wanted, first.data.items.length);
	// Records may be deleted between the requests, and the service may lower the page size only now.
	for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
		if (!isCount(total) || !isCount(most)) return unknown;
		const limit = bestLimit(total, most);
		const last = Math.ceil(total / limit);
		const envelope = await unlessRefused(reader.numbered(last, limit));
		if (envelope === undefined) return unknown;
		const { items } = envelope.data;
		const { page_size: given = limit, total: now } = envelope.meta.pagination;
		if (isLastPage(envelope, last, limit)) {
			const isAll = last === 1;
			const isEnd = isAll || (await endsThere(reader, { first, envelope, last, limit }));
			const isNewest = isEnd && isAscending(reader, [...first.data.items.slice(0, 1), ...items]);
			return isNewest ? { records: items, isAll } : unknown;
		}
		total = now;
		most = Math.min(most, given);
	}
	return unknown;
}

/** Whether an answer is the page that was asked for, and the last one, by its own numbers. */
function isLastPage({ data, meta }: ListEnvelope, last: number, limit: number): boolean {
	const { page, page_size: given = limit, total } = meta.pagination;
	const { length } = data.items;
	return page === last && given === limit && length > 0 && (last - 1) * limit + length === total;
}

/**
 * Whether a page by whose numbers the list ends there does not hold records of the first page, and no page follows
 * it. A service that ignores the number of the page gives the first one again, whatever number it says; one that
 * gives smaller pages than it says gives one from the middle.
 */
async function endsThere(
	reader: Reader,
	{
		first,
		envelope,
		last,
		limit,
	}: { first: ListEnvelope; envelope: ListEnvelope; last: number; limit: number },
): Promise<boolean> {
	const digestOf = (record: Record<string, unknown>): string => reader.versionOf(record).digest;
	const onFirst = new Set(first.data.items.slice(0, limit).map(digestOf));
	if (envelope.data.items.some((record) => onFirst.has(digestOf(record)))) return false;
	const following = await unlessRefused(reader.numbered(last + 1, limit));
	return following === undefined || following.data.items.length === 0;
}

/** A service that numbers its pages in another order must not pass for one that gives the newest records. */
function isAscending(reader: Reader, records: ReadonlyArray<Record<string, unknown>>): boolean {
	let before = -Infinity;
	for (const record of records) {
		const { time } = reader.versionOf(record);
		if (time === null || time < before) return false;
		before = time;
	}
	return true;
}

async function unlessRefused(answer: Promise<ListEnvelope>): Promise<ListEnvelope | undefined> {
	return await answer.catch((error: unknown) => {
		if (error instanceof ServiceFailure && isRefusal(error)) return undefined;
		throw error;
	});
}
