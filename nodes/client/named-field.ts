import type { ApiRequest } from './api';
import { parseJson } from './envelope';

/** Names as a service lists them after a colon, in brackets, or after "one of": most often those that it knows. */
const LIST =
	/(?:[:([]|\b(?:of|are|be)\b)\s*["'`]?[\w.-]+["'`]?(?:(?:\s*[,|]\s*(?:and |or )?|\s+(?:and|or)\s+)["'`]?[\w.-]+["'`]?)+/gi;

/**
 * The field of a request that the words of a refusal name first; one in a list only where they name none besides, and never
 * `object_type` there. Undefined where they name none.
 */
export function fieldNamedIn(words: string, request: ApiRequest): string | undefined {
	const { query, body, bodyText } = request;
	const sent = bodyText === undefined ? body : parseJson(bodyText);
	const fields = Object.keys({ ...query, ...Object(sent) }).filter((name) =>
		/[\p{L}\d]/u.test(name),
	);
	const others = fields.filter((field) => field !== 'object_type');
	return firstIn(words.replace(LIST, ' '), fields) ?? firstIn(words, others);
}

function firstIn(words: string, fields: readonly string[]): string | undefined {
	const found = fields.map((field) => ({ field, at: placeOf(field, words) }));
	return found.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at)[0]?.field;
}

/** Services write `object_type` as "objectType" and "object type" too. */
function placeOf(field: string, words: string): number {
	const parts = field.split(/[\s_-]+/).map((part) => part.replace(/\W/g, '\\$&'));
	return words.search(new RegExp(`(?<!\\w)${parts.join('.?')}(?!\\w)`, 'i'));
}
