/** A text, and how far it has been read. */
type Scan = { readonly text: string; offset: number };

const SPACE = /[ \t\n\r]*/y;
const COMMA = /,[ \t\n\r]*/y;
const COLON = /:[ \t\n\r]*/y;
const BRACKET = /[{}[\]][ \t\n\r]*/y;
const QUOTE = /"/y;
const LAST_QUOTE = /"[ \t\n\r]*/y;
/** A piece of a string. All of it in one expression would need more and more memory. */
const CHARACTERS = /[ !#-[\]-\uffff]{1,1000}|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SCALAR =
	/(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])[ \t\n\r]*/y;
const ENDS: Partial<Record<string, string>> = { '{': '}', '[': ']' };

/** Where a text stops being JSON; its length where it ends too early. What JSON.parse says of it has no fixed form. */
export function offsetOfMistake(text: string): number {
	const scan: Scan = { text, offset: 0 };
	/** The ends of the objects and lists that are open, the innermost last. */
	const open: string[] = [];
	pass(scan, SPACE);
	for (;;) {
		if (open.at(-1) === '}' && !(passString(scan) && pass(scan, COLON))) return scan.offset;
		const end = ENDS[text[scan.offset]];
		if (end !== undefined) {
			pass(scan, BRACKET);
			open.push(end);
			if (text[scan.offset] !== end) continue;
		} else if (!passString(scan) && !pass(scan, SCALAR)) return scan.offset;
		while (open.length > 0 && text[scan.offset] === open.at(-1)) {
			pass(scan, BRACKET);
			open.pop();
		}
		if (open.length === 0 || !pass(scan, COMMA)) return scan.offset;
	}
}

/** Advances past a match; false where there is none. */
function pass(scan: Scan, sought: RegExp): boolean {
	sought.lastIndex = scan.offset;
	const isThere = sought.test(scan.text);
	if (isThere) scan.offset = sought.lastIndex;
	return isThere;
}

/** Advances past a string; false where it is not valid, after advancing to its first invalid character. */
function passString(scan: Scan): boolean {
	if (!pass(scan, QUOTE)) return false;
	while (pass(scan, CHARACTERS));
	return pass(scan, LAST_QUOTE);
}
