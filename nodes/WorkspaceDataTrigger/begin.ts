import type { ListEnvelope } from '../shared/api';
import { ServiceFailure } from '../shared/failures';
import type { PollNote, PollSettings, Reader } from './settings';
import { freshState, pack, type TriggerState } from './state';
import { isRefusal } from './steps';
import { versionOf, type OrderField, type Version } from './version';

/** Records asked for to learn which are the newest; half of them at the least come back. */
const NEWEST_WANTED = 100;
/** How often the last page is asked for before the service counts as one that has none. */
const MOST_ATTEMPTS = 4;

/**
 * The state that a trigger starts with. It asks the service once for its newest records: they tell what exists
 * already (`startFrom: now`), and that everything much older can no longer be joined by late commits.
 *
 * @throws ServiceFailure
 */
export async function begin(
	reader: Reader,
	settings: PollSettings,
): Promise<{ state: TriggerState; notes: PollNote[] }> {
	const state = freshState(settings.fingerprint);
	const first = await reader.first(1);
	if (first.data.items.length === 0) return { state, notes: [] };
	const newest = await readNewest(reader, settings.field, first, NEWEST_WANTED);
	const versions = newest.map((record) => versionOf(record, settings.field));
	const times = versions.map(({ time }) => time).filter((time) => time !== null);
	if (times.length > 0) state.newest = Math.max(...times);
	if (settings.startFrom === 'beginning') return { state, notes: [] };
	if (times.length === 0) {
		return {
			state: { ...state, seeding: { upTo: null, known: '' } },
			notes: [{ kind: 'newestUnknown' }],
		};
	}
	// Where the page holds all records, none that shares its oldest date existed besides those on it.
	const isAll = newest.length === first.meta.pagination.total;
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
 * @param first an answer that tells the total
 * @param wanted the most records to ask for
 * @returns an empty list when the service does not give numbered pages in this order
 * @throws ServiceFailure for anything but a refusal of such pages
 */
export async function readNewest(
	reader: Reader,
	field: OrderField,
	first: ListEnvelope,
	wanted: number,
): Promise<Array<Record<string, unknown>>> {
	const oldest = versionOf(first.data.items[0] ?? {}, field).time;
	let { total } = first.meta.pagination;
	let most = wanted;
	// Records may be deleted between the requests, and the service may give smaller pages than it was asked for.
	for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
		if (!isCount(total) || !isCount(most)) return [];
		const limit = bestLimit(total, most);
		const last = Math.ceil(total / limit);
		const envelope = await unlessRefused(reader.numbered(last, limit));
		if (envelope === undefined) return [];
		const { items } = envelope.data;
		const { page_size: given = limit, total: now } = envelope.meta.pagination;
		const isLastPage = given === limit && (last - 1) * limit + items.length === now;
		if (isLastPage && items.length > 0) {
			const versions = items.map((record) => versionOf(record, field));
			return isAscending(versions, oldest) ? items : [];
		}
		total = now;
		most = Math.min(most, given);
	}
	return [];
}

/** A whole number from 1 on. */
function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) > 0;
}

/** The page size up to `most` with which the last page is fullest. */
function bestLimit(total: number, most: number): number {
	if (total <= most) return most;
	const onLastPage = (limit: number): number => ((total - 1) % limit) + 1;
	let best = most;
	for (let limit = most; limit > most / 2; limit--) {
		if (onLastPage(limit) > onLastPage(best)) best = limit;
	}
	return best;
}

/** A service that numbers its pages in another order must not pass for one that gives the newest records. */
function isAscending(versions: readonly Version[], oldest: number | null): boolean {
	let before = oldest;
	for (const { time } of versions) {
		if (time === null || before === null || time < before) return false;
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
