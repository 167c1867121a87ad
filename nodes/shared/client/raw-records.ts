/**
 * Finds values in JSON text, so that files get exactly the text that the service sent: integers above 2^53, `1.0`,
 * escapes. JSON.parse has accepted the text before. So these functions only check that the text does not end too early,
 * and throw RangeError if it does.
 */

/** Records of one page: start and end of each record in the text of the response. */
export interface RawRecords {
	text: string;
	starts: number[];
	ends: number[];
}

/**
 * Finds `data.items` (docs/maintainers/api.md, Envelope). Uses the last of several members with the same name, as
 * JSON.parse does. Throws RangeError if there is no such array.
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

/** Returns the records at these indexes, in this order. */
export function pick({ text, starts, ends }: RawRecords, indexes: readonly number[]): RawRecords {
	const picked = (offsets: number[]): number[] => indexes.map((index) => offsets[index]);
	return { text, starts: picked(starts), ends: picked(ends) };
}

/**
 * Returns the JSON text of a nested member of the object at `start`, found by its path of names. Undefined if it does
 * not exist.
 */
export function findInside(text: string, start: number, names: readonly string[]) {
	const found = names.reduce((object, name) => findMember(text, object, name), start);
	return found === -1 ? undefined : text.slice(found, endOfValue(text, found));
}

/** Returns the start of a member's value in the object at `start`; -1 if there is no such object or member. */
function findMember(text: string, start: number, name: string): number {
	let found = -1;
	if (text[start] !== '{') return found;
	eachMember(text, start, (memberName, valueStart) => {
		if (memberName === name) found = valueStart;
	});
	return found;
}

/** Visits the members of the object at `start` in the order of the text. Escapes in names are resolved. */
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

/** Returns the start of the first element or member of the container at `start`; -1 if it is empty. */
function firstElement(text: string, start: number): number {
	const position = skipSpace(text, start + 1);
	return isClosing(text[position]) ? -1 : position;
}

/** Returns the start of the next element or member after the one that ends at `end`; -1 after the last one. */
function nextElement(text: string, end: number): number {
	const position = skipSpace(text, end);
	return text[position] === ',' ? skipSpace(text, position + 1) : -1;
}

/** Returns the index after the value that begins at `start`, whatever its type. */
function endOfValue(text: string, start: number): number {
	const first = text[start];
	if (first === '"') return endOfString(text, start);
	if (isOpening(first)) return endOfContainer(text, start);
	// Whitespace, a comma or a closing bracket ends a number, true, false and null.
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

/** Skips whitespace. Between tokens, JSON has no other characters up to the code of the space. */
function skipSpace(text: string, start: number): number {
	let position = start;
	while (text[position] <= ' ') position++;
	return position;
}

/** Returns JSON text on one line. Line breaks occur only between tokens, because strings escape them. */
export function onOneLine(json: string): string {
	return json.replace(/[\r\n][ \t\r\n]*/g, '');
}
