/** Words that Title Case leaves small. */
const smallWords = new Set(
	'a an and as at but by for from if in into nor of off on or out over per than the to up via with'.split(
		' ',
	),
);

/**
 * Whether every word that matters starts with a capital letter.
 *
 * @param text a label, such as "Records per File"
 */
export function isTitleCase(text: string): boolean {
	return text
		.split(/[\s/(–-]+/)
		.filter(Boolean)
		.every((word) => smallWords.has(word) || !/^\p{Ll}/u.test(word));
}

/**
 * Whether a text starts like a sentence and does not go on like a title. Names and abbreviations keep their capitals,
 * so only a text in which most later words have one counts as a title.
 *
 * @param text an action or a description; an empty one is fine
 */
export function isSentenceCase(text: string): boolean {
	const [first = '', ...rest] = text.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
	const capitals = rest.filter((word) => /^\p{Lu}/u.test(word));
	return !/^\p{Ll}/u.test(first) && (rest.length < 2 || capitals.length <= rest.length / 2);
}
