import type { SavedCursor } from './checkpoint';

/** Maximum number of characters of all saved cursors together. */
const MAX_CURSOR_CHARACTERS = 6_000;

/**
 * Selects the last cursor, and one earlier cursor for each doubling of the distance to the last cursor. Earlier cursors
 * are kept, because the records that later cursors lead to may change and move away.
 */
export function thinned(cursors: readonly SavedCursor[]): SavedCursor[] {
	const last = cursors.length - 1;
	const doublings = cursors.map(({ before, pageSize }) =>
		Math.floor(Math.log2(1 + Math.max(0, cursors[last].before - before) / pageSize)),
	);
	return cursors.filter((_one, at) => at === last || doublings[at] !== doublings[at - 1]);
}

/** Selects as many of the last cursors as fit into the checkpoint. */
export function fitting(cursors: readonly SavedCursor[]): SavedCursor[] {
	let charactersLeft = MAX_CURSOR_CHARACTERS;
	const last = cursors.toReversed().filter(({ cursor }) => (charactersLeft -= cursor.length) >= 0);
	return last.reverse();
}
