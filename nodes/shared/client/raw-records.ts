/**
 * Finds values in JSON text, so that what the service sent is kept to the letter: integers beyond 2^53, `1.0`, escapes.
 * JSON.parse has accepted the text before, so its structure is only checked for its end, which throws RangeError.
 */

/** The records of one page: where each begins and ends in the text of the answer. */
export interface RawRecords {
	text: string;
	starts: number[];
	ends: number[];
}

/** Finds `data.items` (docs/maintainers/api.md, Envelope), the last of equal names. Throws RangeError for none. */
export function findRecords(text: string): RawRecords {
	const list = findMember(text, findMember(text, skipSpace(text, 0), 'data'), 'items');
	if (text[list] !== '[') throw new RangeError('The text has no array at data.items');
	const records: RawRecords = { text, starts: [], ends: [] };
	for (let start = firstPart(text, list); start !== -1; ) {
		const end = endOfValue(text, start);
		records.starts.push(start);
		records.ends.push(end);
		start = nextPart(text, end);
	}
	return records;
}

/** Only these of the records, in this order. */
export function pick({ text, starts, ends }: RawRecords, indexes: readonly number[]): RawRecords {
	const only = (offsets: number[]): number[] => indexes.map((index) => offsets[index]);
	return { text, starts: only(starts), ends: only(ends) };
}

/** The JSON that such names lead to from the object at `start`, one inside the other; undefined where there is none. */
export function findInside(text: string, start: number, names: readonly string[]) {
	const found = names.reduce((object, name) => findMember(text, object, name), start);
	return found === -1 ? undefined : text.slice(found, endOfValue(text, found));
}

/** Where the value of a member of the object at `start` begins; -1 where there is no such object or member. */
function findMember(text: string, start: number, wanted: string): number {
	let found = -1;
	if (text[start] !== '{') return found;
	eachMember(text, start, (name, valueStart) => {
		if (name === wanted) found = valueStart;
	});
	return found;
}

/** Visits the members of the object that begins at `start`, in the order of the text; names come with escapes resolved. */
export function eachMember(
	text: string,
	start: number,
	visit: (name: string, valueStart: number, valueEnd: number) => void,
): void {
	for (let position = firstPart(text, start); position !== -1; ) {
		const nameEnd = endOfString(text, position);
		const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
		const valueEnd = endOfValue(text, valueStart);
		const name = text.slice(position + 1, nameEnd - 1);
		visit(name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name, valueStart, valueEnd);
		position = nextPart(text, valueEnd);
	}
}

/** Where the first part of the list or the object at `start` begins; -1 where it has none. */
function firstPart(text: string, start: number): number {
	const position = skipSpace(text, start + 1);
	return isClosing(text[position]) ? -1 : position;
}

/** Where the part after the one that ends at `end` begins; -1 after the last one. */
function nextPart(text: string, end: number): number {
	const position = skipSpace(text, end);
	return text[position] === ',' ? skipSpace(text, position + 1) : -1;
}

/** The index after the value of any type that begins at `start`. */
function endOfValue(text: string, start: number): number {
	const first = text[start];
	if (first === '"') return endOfString(text, start);
	if (isOpening(first)) return endOfContainer(text, start);
	// Whitespace, comma and closing brackets end a number, true, false and null.
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

/** Between tokens, nothing up to the space occurs but JSON's whitespace. */
function skipSpace(text: string, start: number): number {
	let position = start;
	while (text[position] <= ' ') position++;
	return position;
}

/** JSON text on one line. Line breaks occur between tokens only: inside a string they are escaped. */
export function onOneLine(json: string): string {
	return json.replace(/[\r\n][ \t\r\n]*/g, '');
}
