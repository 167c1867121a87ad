import type { Overlap } from '../../../nodes/changes/overlap.ts';
import { Bookmark } from '../../../nodes/changes/bookmark.ts';
import type { SavedCursor, State } from '../../../nodes/changes/state.ts';
import { digestOf, pack } from '../../../nodes/lists/version.ts';
import { stateAt } from './follower.mts';

/** The dates of versions, by names that stand for their records; null for a record without a date. */
export type Dates = Record<string, number | null>;
export const versionOf = (name: string, time: number | null) => ({ digest: digestOf(name), time });
/** The digests of versions with these names, as a state has them. */
export const digests = (...names: string[]): string => pack(names.map(digestOf));
/** A cursor whose first record is called like it. */
export const savedCursor = (cursor: string, limit = 2): SavedCursor => ({
	...{ cursor, limit, first: digestOf(cursor) },
});

/** What is remembered; `settled`: before this date nothing late turns up any more. */
export function bookmarkOf(
	known: Partial<State> & { settled?: number; most?: number } = {},
	from?: SavedCursor,
) {
	const { settled = Infinity, most, ...members } = known;
	const state = { ...stateAt('beginning'), ...members };
	const overlap = { settled, isNewer: false, meet: () => {}, toState: () => ({}) };
	const bookmark = new Bookmark(state, from, overlap as unknown as Overlap, most);
	/** Reads a page of these versions. */
	const read = (cursor: string | undefined, dates: Dates, limit = 2): void => {
		const versions = Object.entries(dates).map(([name, time]) => versionOf(name, time));
		bookmark.open({ cursor, limit, versions });
		for (const version of versions) bookmark.pass(version, 'updated_at');
		bookmark.close();
	};
	const knows = (name: string, time: number | null) => bookmark.knows(versionOf(name, time));
	const cursors = () => bookmark.toState(true, false).savedCursors.map(({ cursor }) => cursor);
	return { bookmark, read, knows, cursors };
}
