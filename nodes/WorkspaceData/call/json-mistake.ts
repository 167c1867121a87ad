const SPACE = /[ \t\n\r]*/y;
/** Up to where a string is right. */
const STRING = /"(?:[^"\\\p{Cc}]+|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Where a text stops being JSON: the first character that cannot come there, or the text's length where it ends too
 * early. JSON.parse tells it in a message whose form depends on the engine and on the mistake.
 */
export function placeOfMistake(text: string): number {
	let at = 0;
	/** Each of these goes on after what it finds, and says whether all of it was there. */
	const pattern = (sought: RegExp): boolean => {
		sought.lastIndex = at;
		const isThere = sought.test(text);
		if (isThere) at = sought.lastIndex;
		return isThere;
	};
	const sign = (sought: string): boolean => {
		const isThere = text[at] === sought;
		if (isThere) at += 1;
		return isThere && pattern(SPACE);
	};
	const string = (): boolean => pattern(STRING) && sign('"');
	const member = (): boolean => string() && sign(':') && value();
	const elements = (element: () => boolean, end: string): boolean => {
		if (sign(end)) return true;
		do {
			if (!element()) return false;
		} while (sign(','));
		return sign(end);
	};
	const value = (): boolean => {
		if (sign('{')) return elements(member, '}');
		if (sign('[')) return elements(value, ']');
		return text[at] === '"' ? string() : pattern(SCALAR) && pattern(SPACE);
	};
	pattern(SPACE);
	value();
	return at;
}
