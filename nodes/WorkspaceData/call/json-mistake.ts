const SPACE = /[ \t\n\r]*/y;
const QUOTE = /"/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const ENDS: Partial<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Where a text stops being JSON: the first character that cannot come there, or the text's length where it ends too
 * early. JSON.parse tells it in a message whose form depends on the engine and on the mistake.
 */
export function offsetOfMistake(text: string): number {
	let at = 0;
	/** Each of these goes on after what it finds, and says whether all of it was there. */
	const pattern = (sought: RegExp): boolean => {
		sought.lastIndex = at;
		const isThere = sought.test(text);
		if (isThere) at = sought.lastIndex;
		return isThere;
	};
	const sign = (sought = ''): boolean => {
		const isThere = text[at] === sought;
		if (isThere) at += 1;
		return isThere && pattern(SPACE);
	};
	const string = (): boolean => {
		if (!pattern(QUOTE)) return false;
		// One regular expression for all of it would need more and more memory.
		while (text[at] >= ' ' && text[at] !== '"') {
			if (text[at] !== '\\') at += 1;
			else if (!pattern(ESCAPE)) return false;
		}
		return sign('"');
	};
	/** The ends of the objects and lists that are open, the innermost last. */
	const open: string[] = [];
	pattern(SPACE);
	for (;;) {
		if (open.at(-1) === '}' && !(string() && sign(':'))) return at;
		const end = ENDS[text[at]];
		if (end !== undefined) {
			sign(text[at]);
			open.push(end);
			if (text[at] !== end) continue;
		} else if (!(text[at] === '"' ? string() : pattern(SCALAR) && pattern(SPACE))) return at;
		while (sign(open.at(-1))) open.pop();
		if (open.length === 0 || !sign(',')) return at;
	}
}
