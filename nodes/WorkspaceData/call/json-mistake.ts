const SPACE = /[ \t\n\r]*/y;
/** Up to where a string is right, and whether it ends there. */
const STRING = /"(?:[^"\\\p{Cc}]+|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*("?)/uy;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Where a text stops being JSON: the first character that cannot come there, or the text's length where it ends too
 * early. JSON.parse tells it in a message whose form depends on the engine and on the mistake.
 */
export function placeOfMistake(text: string): number {
	const open: string[] = [];
	let at = 0;
	let expected: 'value' | 'name' | 'colon' | 'more' = 'value';
	/** Just after an opening brace or bracket, where it may close at once. */
	let isFirst = false;
	const read = (pattern: RegExp): RegExpExecArray | null => {
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		if (found !== null) at = pattern.lastIndex;
		return found;
	};
	for (;;) {
		read(SPACE);
		const character = text[at];
		const closes = character !== undefined && character === open.at(-1);
		if (closes && (isFirst || expected === 'more')) {
			open.pop();
			expected = 'more';
			isFirst = false;
			at++;
			continue;
		}
		isFirst = false;
		if (expected === 'more') {
			if (character !== ',' || open.length === 0) return at;
			expected = open.at(-1) === '}' ? 'name' : 'value';
			at++;
		} else if (expected === 'colon') {
			if (character !== ':') return at;
			expected = 'value';
			at++;
		} else if (character === '"') {
			if (read(STRING)?.[1] === '') return at;
			expected = expected === 'name' ? 'colon' : 'more';
		} else if (expected === 'value' && (character === '{' || character === '[')) {
			open.push(character === '{' ? '}' : ']');
			expected = character === '{' ? 'name' : 'value';
			isFirst = true;
			at++;
		} else if (expected === 'value' && read(SCALAR) !== null) {
			expected = 'more';
		} else {
			return at;
		}
	}
}
