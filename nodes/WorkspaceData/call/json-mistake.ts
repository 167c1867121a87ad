/** A place in a text, and where it has moved to. */
type Place = { readonly text: string; at: number };

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

/**
 * Where a text stops being JSON: the first character that cannot come there, or the text's length where it ends too
 * early. JSON.parse tells it in a message whose form depends on the engine and on the mistake.
 */
export function offsetOfMistake(text: string): number {
	const place: Place = { text, at: 0 };
	/** The ends of the objects and lists that are open, the innermost last. */
	const open: string[] = [];
	pass(place, SPACE);
	for (;;) {
		if (open.at(-1) === '}' && !(passString(place) && pass(place, COLON))) return place.at;
		const end = ENDS[text[place.at]];
		if (end !== undefined) {
			pass(place, BRACKET);
			open.push(end);
			if (text[place.at] !== end) continue;
		} else if (!passString(place) && !pass(place, SCALAR)) return place.at;
		while (open.length > 0 && text[place.at] === open.at(-1)) {
			pass(place, BRACKET);
			open.pop();
		}
		if (open.length === 0 || !pass(place, COMMA)) return place.at;
	}
}

/** Advances past a match; false where there is none. */
function pass(place: Place, sought: RegExp): boolean {
	sought.lastIndex = place.at;
	const isThere = sought.test(place.text);
	if (isThere) place.at = sought.lastIndex;
	return isThere;
}

/** Advances past a string; false where it is not valid, after advancing to its first invalid character. */
function passString(place: Place): boolean {
	if (!pass(place, QUOTE)) return false;
	while (pass(place, CHARACTERS));
	return pass(place, LAST_QUOTE);
}
