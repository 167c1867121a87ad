import { redact } from './secrets';

const LONGEST_WORDS = 400;
const LONGEST_ID = 100;
const KEYS_WITH_WORDS = [
	'message',
	'error_description',
	'error_message',
	'detail',
	'description',
	'reason',
	'title',
	'error',
	'errors',
	'details',
	'msg',
] as const;
const DEEPEST = 6;

/**
 * Finds the service's own words in an error body of any shape, since none is specified (docs/maintainers/api.md, Envelope):
 * `error` as string or object, `message`, `detail`, `errors[]`, plain text, HTML.
 *
 * @param text the body as it came
 * @param parsed the same body as JSON, or undefined when it is not JSON
 * @param secrets values to hide; before the text is cut, since half a key is still half a key
 * @returns one line of at most 400 characters; empty when the body says nothing
 */
export function findServiceWords(
	text: string,
	parsed: unknown,
	secrets: readonly string[] = [],
): string {
	const found = parsed === undefined ? textOf(text) : collect(parsed, 0);
	return shorten(redact(found, secrets));
}

/** One line of at most 400 characters, an ellipsis at its end included. */
export function shorten(text: string, longest = LONGEST_WORDS): string {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length <= longest) return line;
	// Half of a character that takes two units would show as a broken one.
	return `${line
		.slice(0, longest - 1)
		.replace(/[\uD800-\uDBFF]$/, '')
		.trimEnd()}…`;
}

/** A request ID in the form that is shown: hidden secrets, at most 100 characters. */
export function cleanId(id: string, secrets: readonly string[]): string {
	return shorten(redact(id, secrets), LONGEST_ID);
}

function collect(value: unknown, depth: number): string {
	if (typeof value === 'string') return textOf(value);
	if (typeof value === 'number' && depth > 0) return String(value);
	if (value === null || typeof value !== 'object' || depth > DEEPEST) return '';
	if (Array.isArray(value))
		return joinDistinct(value.slice(0, 5).map((entry) => collect(entry, depth + 1)));
	const record = value as Record<string, unknown>;
	const main = joinDistinct(
		KEYS_WITH_WORDS.filter((key) => key in record).map((key) => collect(record[key], depth + 1)),
	);
	const field = typeof record.field === 'string' && main !== '' ? `${record.field}: ` : '';
	return `${field}${main}`;
}

/** Joins sentences, leaving out repetitions (many services put the same words under two keys). */
function joinDistinct(parts: string[]): string {
	const distinct = parts.filter(
		(part, index) => part !== '' && parts.findIndex((other) => other.includes(part)) === index,
	);
	return distinct.join(' – ');
}

/** Plain text as it is; of an HTML page the title and the first text. */
function textOf(text: string): string {
	// Whole error pages can be megabytes; what a person reads stands at the beginning.
	const head = text.slice(0, 20_000);
	if (!/<\s*(?:!doctype|html|head|body|title|h1)\b/i.test(head)) return head;
	return head
		.replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/&nbsp;/gi, ' ')
		.replace(/&lt;/gi, '<')
		.replace(/&gt;/gi, '>')
		.replace(/&quot;/gi, '"')
		.replace(/&#39;/g, "'")
		.replace(/&amp;/gi, '&');
}
