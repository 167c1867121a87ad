/**
 * Finds values inside JSON text without turning them into JavaScript values, so that what the service sent can be
 * kept to the letter: integers beyond 2^53, `1.0`, escapes. Works on text that JSON.parse has accepted before; it
 * checks structure only as far as it needs to not run past the end.
 */

/** The records of one page: where each begins and ends in the text of the answer. */
export interface RawRecords {
	text: string;
	starts: number[];
	ends: number[];
}

/** A file format that a list can be exported to. One object serves one export: it may remember what it has seen. */
export interface FileFormat {
	/** Without a dot. */
	extension: string;
	mimeType: string;
	/** What a file begins with. */
	header: () => string;
	/** The lines of the first `count` records of a page, and how many columns they have; 0 for a format without columns. */
	linesOf: (records: RawRecords, count: number) => { lines: string[]; columns: number };
	/** The lines of a file, without its header, all with as many columns as the header has now. */
	widen: (lines: Buffer, stretches: readonly Stretch[]) => Buffer;
}

/** Lines in a row with the same number of columns. */
export interface Stretch {
	columns: number;
	records: number;
	bytes: number;
}

/**
 * Told of one member of an object: where its name begins and ends (quotes included) and where its value begins.
 * Gives the index after the value where it has looked for that.
 */
type VisitMember = (nameStart: number, nameEnd: number, valueStart: number) => number | undefined;

const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const SPACE = 32;

/**
 * Finds the elements of `data.items` in an answer of the service (docs/maintainers/api.md, Envelope). Of members with the same name
 * the last one counts, as with JSON.parse.
 *
 * @param text JSON that JSON.parse accepts and that has an array at `data.items`
 * @throws RangeError when it has not
 */
export function findRecords(text: string): RawRecords {
	let records: RawRecords | undefined;
	const visitData: VisitMember = (nameStart, nameEnd, valueStart) => {
		if (memberName(text, nameStart, nameEnd) !== 'items') return undefined;
		const isList = text.charCodeAt(valueStart) === OPEN_BRACKET;
		records = isList ? { text, starts: [], ends: [] } : undefined;
		return records && collectElements(records, valueStart);
	};
	const visitEnvelope: VisitMember = (nameStart, nameEnd, valueStart) => {
		if (memberName(text, nameStart, nameEnd) !== 'data') return undefined;
		records = undefined;
		const isObject = text.charCodeAt(valueStart) === OPEN_BRACE;
		return isObject ? eachMember(text, valueStart, visitData) : undefined;
	};
	const start = skipSpace(text, 0);
	if (text.charCodeAt(start) === OPEN_BRACE) eachMember(text, start, visitEnvelope);
	if (records === undefined) throw new RangeError('The text has no array at data.items');
	return records;
}

/**
 * Visits the members of the object that begins at `start`, in the order of the text, repeated names included.
 *
 * @returns the index after the object
 * @throws RangeError when the text ends before the object does
 */
export function eachMember(text: string, start: number, visit: VisitMember): number {
	let position = skipSpace(text, start + 1);
	if (text.charCodeAt(position) === CLOSE_BRACE) return position + 1;
	for (;;) {
		const nameEnd = endOfString(text, position);
		const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
		const end = visit(position, nameEnd, valueStart) ?? endOfValue(text, valueStart);
		position = skipSpace(text, end);
		if (text.charCodeAt(position) !== COMMA) return position + 1;
		position = skipSpace(text, position + 1);
	}
}

function collectElements({ text, starts, ends }: RawRecords, start: number): number {
	let position = skipSpace(text, start + 1);
	if (text.charCodeAt(position) === CLOSE_BRACKET) return position + 1;
	for (;;) {
		starts.push(position);
		const end = endOfValue(text, position);
		ends.push(end);
		position = skipSpace(text, end);
		if (text.charCodeAt(position) !== COMMA) return position + 1;
		position = skipSpace(text, position + 1);
	}
}

/** The name of a member, escapes resolved. `start` and `end` include the quotes. */
export function memberName(text: string, start: number, end: number): string {
	const name = text.slice(start + 1, end - 1);
	return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
}

/**
 * The index after the value of any type that begins at `start`.
 *
 * @throws RangeError when the text ends before the value does
 */
export function endOfValue(text: string, start: number): number {
	const first = text.charCodeAt(start);
	if (first === QUOTE) return endOfString(text, start);
	if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfContainer(text, start);
	// Whitespace, comma and closing brackets end a number, true, false and null.
	for (let end = start + 1; end < text.length; end++) {
		const code = text.charCodeAt(end);
		if (code <= SPACE || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE)
			return end;
	}
	return text.length;
}

function endOfContainer(text: string, start: number): number {
	let depth = 1;
	for (let position = start + 1; position < text.length; ) {
		const code = text.charCodeAt(position);
		if (code === QUOTE) {
			position = endOfString(text, position);
			continue;
		}
		position++;
		if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
		else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return position;
	}
	throw new RangeError('The text ends inside a list or an object');
}

function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}
	throw new RangeError('The text ends inside a string');
}

/** JSON's whitespace is space, tab, line feed and carriage return; nothing else up to the space occurs between tokens. */
function skipSpace(text: string, start: number): number {
	let position = start;
	while (text.charCodeAt(position) <= SPACE) position++;
	return position;
}

/**
 * A piece of JSON text on one line. Line breaks occur between tokens only (inside a string they are escaped), so
 * removing them, with the indentation after them, changes no value.
 */
export function onOneLine(json: string): string {
	return json.replace(/[\r\n][ \t\r\n]*/g, '');
}
