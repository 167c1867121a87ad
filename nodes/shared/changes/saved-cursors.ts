import type { SavedCursor } from './checkpoint';

/** Maximum length of all saved cursors together, in characters. */
const MAX_CURSOR_CHARACTERS = 6_000;

/**
 * Returns the last cursor, and some earlier cursors whose distances from the last cursor roughly double. The earlier
 * cursors are fallbacks, because the record that a later cursor leads to may change and move to the end of the list.
 */
export function thinned(cursors: readonly SavedCursor[]): SavedCursor[] {
	const last = cursors.length - 1;
	const doublings = cursors.map(({ before, pageSize }) =>
		Math.floor(Math.log2(1 + Math.max(0, cursors[last].before - before) / pageSize)),
	);
	return cursors.filter((_one, at) => at === last || doublings[at] !== doublings[at - 1]);
}

/**
 * Returns the last cursors that fit into the checkpoint. Drops the first cursors if all of them together are too long.
 */
export function fitting(cursors: readonly SavedCursor[]): SavedCursor[] {
	let charactersLeft = MAX_CURSOR_CHARACTERS;
	const last = cursors.toReversed().filter(({ cursor }) => (charactersLeft -= cursor.length) >= 0);
	return last.reverse();
}
