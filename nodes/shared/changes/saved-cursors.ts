import type { SavedCursor } from './checkpoint';

/** Maximum length of all saved cursors together, in characters. */
const MAX_CURSOR_CHARACTERS = 6_000;

/**
 * Keeps the last cursor, and one earlier cursor for each doubling of the distance to the last cursor. Earlier cursors
 * are kept as fallbacks, because a record that a later cursor leads to may change and move to the end of the list.
 */
export function thinned(cursors: readonly SavedCursor[]): SavedCursor[] {
	const last = cursors.length - 1;
	const doublings = cursors.map(({ before, pageSize }) =>
		Math.floor(Math.log2(1 + Math.max(0, cursors[last].before - before) / pageSize)),
	);
	return cursors.filter((_one, at) => at === last || doublings[at] !== doublings[at - 1]);
}

/** Drops the first cursors of the list if all cursors together are too long for the checkpoint. */
export function fitting(cursors: readonly SavedCursor[]): SavedCursor[] {
	let charactersLeft = MAX_CURSOR_CHARACTERS;
	const last = cursors.toReversed().filter(({ cursor }) => (charactersLeft -= cursor.length) >= 0);
	return last.reverse();
}
