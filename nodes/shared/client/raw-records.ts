/**
 * Finds records in JSON text, so that exported files contain them exactly as the service sent them, including integers
 * above 2^53, `1.0` and escapes. The functions do not check the JSON, because callers have parsed the text with
 * JSON.parse before. They throw RangeError if the text ends too early.
 */

/** Records of one page as parts of the response text, with their start and end offsets in `text`. */
export interface RawRecords {
	text: string;
	starts: number[];
	ends: number[];
}

/**
 * Finds the records of a list response: the elements of `data.items` (docs/maintainers/api.md, Envelope). If members
 * have the same name, the last one counts, as with JSON.parse. Throws RangeError if `data.items` is not an array.
 */
export function findRecords(text: string): RawRecords {
	const list = findMember(text, findMember(text, skipSpace(text, 0), 'data'), 'items');
	if (text[list] !== '[') throw new RangeError('The text has no array at data.items');
	const records: RawRecords = { text, starts: [], ends: [] };
	for (let start = firstElement(text, list); start !== -1; ) {
		const end = endOfValue(text, start);
		records.starts.push(start);
		records.ends.push(end);
		start = nextElement(text, end);
	}
	return records;
}

/** Returns the records at the given indexes, in the order of the indexes. */
export function pick({ text, starts, ends }: RawRecords, indexes: readonly number[]): RawRecords {
	const picked = (offsets: number[]): number[] => indexes.map((index) => offsets[index]);
	return { text, starts: picked(starts), ends: picked(ends) };
}

/** Returns the JSON text at the path `names` in the object at offset `start`; undefined if there is no such value. */
export function findInside(text: string, start: number, names: readonly string[]) {
	const found = names.reduce((object, name) => findMember(text, object, name), start);
	return found === -1 ? undefined : text.slice(found, endOfValue(text, found));
}

/** Returns the offset of a member's value; -1 if no object begins at `start`, or if the object has no such member. */
function findMember(text: string, start: number, name: string): number {
	let found = -1;
	if (text[start] !== '{') return found;
	eachMember(text, start, (memberName, valueStart) => {
		if (memberName === name) found = valueStart;
	});
	return found;
}

/** Calls `visit` for each member of the object at `start`, with its unescaped name and the offsets of its value. */
export function eachMember(
	text: string,
	start: number,
	visit: (name: string, valueStart: number, valueEnd: number) => void,
): void {
	for (let position = firstElement(text, start); position !== -1; ) {
		const nameEnd = endOfString(text, position);
		const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
		const valueEnd = endOfValue(text, valueStart);
		const name = text.slice(position + 1, nameEnd - 1);
		visit(name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name, valueStart, valueEnd);
		position = nextElement(text, valueEnd);
	}
}

/** Returns the offset of the first element or member of the array or object at `start`; -1 if it is empty. */
function firstElement(text: string, start: number): number {
	const position = skipSpace(text, start + 1);
	return isClosing(text[position]) ? -1 : position;
}

/** Returns the offset of the next element or member after the offset `end`; -1 at the end of the list or object. */
function nextElement(text: string, end: number): number {
	const position = skipSpace(text, end);
	return text[position] === ',' ? skipSpace(text, position + 1) : -1;
}

/** Returns the offset just after the JSON value that begins at `start`. */
function endOfValue(text: string, start: number): number {
	const first = text[start];
	if (first === '"') return endOfString(text, start);
	if (isOpening(first)) return endOfContainer(text, start);
	// A number, true, false or null ends before whitespace, a comma or a closing bracket.
	let end = start + 1;
	for (; end < text.length; end++) {
		const character = text[end];
		if (character <= ' ' || character === ',' || isClosing(character)) break;
	}
	return end;
}

function endOfContainer(text: string, start: number): number {
	let depth = 1;
	for (let position = start + 1; position < text.length; ) {
		const character = text[position];
		if (character === '"') {
			position = endOfString(text, position);
			continue;
		}
		position++;
		if (isOpening(character)) depth++;
		else if (isClosing(character) && --depth === 0) return position;
	}
	throw new RangeError('The text ends inside a list or an object');
}

function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text[end - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}
	throw new RangeError('The text ends inside a string');
}

const isOpening = (character: string): boolean => character === '{' || character === '[';
const isClosing = (character: string): boolean => character === '}' || character === ']';

/**
 * Returns the offset of the next character that is not whitespace. Every character up to U+0020 counts as whitespace,
 * because valid JSON has no others between its tokens.
 */
function skipSpace(text: string, start: number): number {
	let position = start;
	while (text[position] <= ' ') position++;
	return position;
}

/** Returns JSON text on one line. Strings do not change, because line breaks in JSON strings are always escaped. */
export function onOneLine(json: string): string {
	return json.replace(/[\r\n][ \t\r\n]*/g, '');
}
