import { isObject, parseJson } from './envelope';
import { OUTLINE_EDGE } from './text-in-parts';

/** How a page with records begins that says that all went well. */
const BEGINNING = /^\s*\{\s*"success"\s*:\s*true\s*,\s*"data"\s*:\s*\{\s*"items"\s*:\s*\[\s*\{/;
const META = '"meta":';

/**
 * The next cursor of a page, read from the end of its text before the records are parsed. No guess: a quotation mark
 * inside of a JSON text has a backslash before it, so `"meta":` is a member's name; where all that follows is one value
 * and the last brace, the member is the last one of the whole, and no other of that name counts. What looks otherwise
 * (docs/api.md, Envelope: nothing says in what order members come) is parsed first.
 *
 * @param text the whole, or its outline
 * @returns undefined where there is none, or where it takes parsing the whole to know
 */
export function nextCursorIn(text: string): string | undefined {
	const end = text.slice(-OUTLINE_EDGE).trimEnd();
	const start = end.lastIndexOf(META);
	if (start < 1 || end[start - 1] === '\\' || !end.endsWith('}')) return undefined;
	const meta = parseJson(end.slice(start + META.length, -1));
	if (!isObject(meta) || !isObject(meta.pagination) || !BEGINNING.test(text)) return undefined;
	const next = meta.pagination.next_cursor;
	return typeof next === 'string' && next !== '' ? next : undefined;
}
