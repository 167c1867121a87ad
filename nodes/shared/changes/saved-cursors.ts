import type { SavedCursor } from './checkpoint';

/** Maximum length of all saved cursors together, in characters. */
const MAX_CURSOR_CHARACTERS = 6_000;

/**
 * Returns the last cursor, and earlier cursors at roughly doubling distances from it. The earlier cursors are
 * fallbacks, in case the last cursor no longer leads to the right record.
 */
export function thinned(cursors: readonly SavedCursor[]): SavedCursor[] {
	const last = cursors.length - 1;
	const doublings = cursors.map(({ before, pageSize }) =>
		Math.floor(Math.log2(1 + Math.max(0, cursors[last].before - before) / pageSize)),
	);
	return cursors.filter((_one, at) => at === last || doublings[at] !== doublings[at - 1]);
}

/** Returns as many cursors as fit into the checkpoint, counted from the end of the list. */
export function fitting(cursors: readonly SavedCursor[]): SavedCursor[] {
	let charactersLeft = MAX_CURSOR_CHARACTERS;
	const last = cursors.toReversed().filter(({ cursor }) => (charactersLeft -= cursor.length) >= 0);
	return last.reverse();
}
