// Finds incomplete texts such as "https://undefined". An expression returns such a text if a value that it reads is
// missing.

import { parseJson } from '../client/json';

/** Resolves an expression such as `{{ $json.domain }}` for one input item. Throws if the expression fails. */
export type Evaluate = (expression: string) => unknown;

const QUOTED = String.raw`'[^']*'|"[^"]*"`;
/** Pattern for a value that an expression reads, such as `$json.name` or `$('Form').item.json["Company name"]`. */
const REFERENCE = String.raw`\$(?:\w+|(?=\())(?:\((?:${QUOTED}|[\s,])*\)|(?![\w(]))(?:\??\.\w+(?:\(\)|(?![\w(]))|(?:\?\.)?\[(?:${QUOTED}|\d+)\])*`;
/** Pattern for a REFERENCE with optional method calls and an empty fallback, such as `$json.name.trim() || ''`. */
const OPERAND = String.raw`${REFERENCE}(?:\??\.\w+\([^()]*\))*(?:\s*(?:\|\||\?\?)\s*(?:''|""))?`;
const REFERENCES = new RegExp(REFERENCE, 'g');
const OPERANDS = new RegExp(String.raw`\(\s*${OPERAND}\s*\)|${OPERAND}`, 'g');
const CODE = /\{\{(.*?)\}\}/gs;
const LITERAL = `${QUOTED}|\`[^\`]*\``;
const LITERALS = new RegExp(LITERAL, 'g');
/** Placeholders: GAP for a value that the expression reads, OTHER for other code, whose result is unknown. */
const [GAP, OTHER] = ['\uFFFE', '\uFFFF'];
const PART = `(?:${LITERAL}|${GAP})`;
const PARTS = new RegExp(PART, 'g');
/** Matches literals and placeholders that are joined by +, such as `"https://" + GAP`. */
const CHAINS = new RegExp(String.raw`${PART}(?:\s*\+\s*${PART})*`, 'g');
/** Matches `undefined` and `null` in place of a missing value, but not a `null` that is a value in JSON. */
const MISSING_VALUE_WORDS =
	/undefined|(?<![\p{L}\p{N}]|":\s?|[[,](?=null[,\]]))null(?![\p{L}\p{N}])/giu;

/**
 * Returns the first incomplete text in `value`, with the name of its field. A text is incomplete if all `{{ }}` of its
 * expression were empty, or if it contains "undefined" or "null" for a missing value.
 * @param written the expression as the user wrote it, with `=` in front
 */
export function findIncomplete(value: unknown, written: string, evaluate: Evaluate) {
	const fixed = fixedParts(written);
	return textsIn(value).find(([, text]) => {
		const isFixed = fixed.includes(text.trim());
		return isFixed || missingValueWords(text).some((word) => !isIntended(word, written, evaluate));
	});
}

function missingValueWords(text: string): string[] {
	return text.match(MISSING_VALUE_WORDS)?.map((word) => word.toLowerCase()) ?? [];
}

/** Returns the texts in a value, or in the JSON that it contains, with the names of their fields. */
function textsIn(value: unknown): Array<[name: string, text: string]> {
	const texts: Array<[string, string]> = [];
	const isJson = typeof value === 'string' && /^\s*[[{]/.test(value);
	try {
		JSON.stringify((isJson && parseJson(value)) || value, (name, part: unknown) => {
			if (typeof part === 'string') texts.push([name, part]);
			return part;
		});
	} catch {
		// Ignore an object that contains itself, such as some objects of n8n, because it cannot be sent anyway.
	}
	return texts;
}

/** Checks whether the user typed a word such as "null", or whether a value that the expression reads contains it. */
function isIntended(word: string, written: string, evaluate: Evaluate): boolean {
	const fixed = written.replace(CODE, (code) => code.match(LITERALS)?.join() ?? '');
	if (missingValueWords(fixed).includes(word)) return true;
	return (written.match(REFERENCES) ?? []).some((reference) => {
		try {
			const texts = textsIn(evaluate(`{{ ${reference} }}`));
			return texts.some(([, text]) => missingValueWords(text).includes(word));
		} catch {
			return false;
		}
	});
}

/** Returns the texts that remain if all values of an expression are empty, such as "https://". */
function fixedParts(written: string): string[] {
	const joined: string[] = [];
	const template = written.slice(1).replace(CODE, (_all, code: string) => {
		const read = code.replace(OPERANDS, GAP);
		for (const chain of read.match(CHAINS) ?? []) joined.push(textOf(chain));
		return read.trim() === GAP ? GAP : OTHER;
	});
	const inJson = template.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
	return [template, ...inJson.map((text) => String(parseJson(text))), ...joined]
		.filter((text) => text.includes(GAP) && !text.includes(OTHER))
		.map((text) => text.replaceAll(GAP, '').trim())
		.filter(Boolean);
}

/** Returns the text that results from literals and values joined by +. The placeholder GAP stands for each value. */
function textOf(chain: string): string {
	const parts = chain.match(PARTS) ?? [];
	const texts = parts.map((part) => {
		if (!part.startsWith('`')) return part.replace(/^['"]|['"]$/g, '');
		return part
			.slice(1, -1)
			.replace(/\$\{\s*(.*?)\s*\}/gs, (_all, code) => (code === GAP ? GAP : OTHER));
	});
	return texts.join('');
}
