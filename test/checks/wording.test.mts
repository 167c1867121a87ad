import { globSync } from 'node:fs';
import { titleCase } from 'title-case';
import { describe, expect, test } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { root, textOf } from './imports.mts';
import { literals } from './literals.mts';
import { failures, textsBesidePanels, type Shown } from './texts.mts';

const nodes = [new WorkspaceData(), new WorkspaceDataTrigger()].map((node) => node.description);

/** Names of all parameters and options, without units in brackets. */
const names = nodes
	.flatMap(({ properties }) => namesIn(properties as Shown[]))
	.concat(namesIn(new WorkspaceDataApi().properties as Shown[]))
	.map((name) => name.replace(/ \(.*\)$/, ''));
/**
 * Names of several words. A name of one word can be an ordinary word, so it counts only after "set", "choose" or
 * "change".
 */
const parameters = names.filter((name) => name.includes(' '));
const singleWords = [...new Set(names)].filter((name) => /^\w+$/.test(name)).join('|');
const unquotedWord = new RegExp(`\\b(?:[Cc]hoose|[Ss]et|[Cc]hange) (?:${singleWords})\\b`, 'g');

function namesIn(properties: readonly Shown[]): string[] {
	return properties.flatMap(({ type, displayName = '', options = [] }) => {
		const own = type === undefined || type === 'notice' ? [] : [displayName];
		const inside = options.flatMap((option) => (option.type ? [option] : (option.values ?? [])));
		return [...own, ...namesIn(inside)];
	});
}

/**
 * Returns names of parameters that a text does not put in single quotes. Double quotes are for choices and values, and
 * the hint on Limit Calls begins with its name.
 */
function unquotedIn(error: string): string[] {
	const text = error.replace(/"[^"]*"|^Limit Calls skipped/g, '');
	const unquoted = [...new Set(parameters)].filter((name) =>
		new RegExp(`(?<!['\\w])${name}(?!['\\w])`).test(text),
	);
	const words = [/\boptions? [A-Z]\w+/g, unquotedWord].flatMap(
		(pattern) => text.match(pattern) ?? [],
	);
	return [...unquoted, ...words];
}

/** Returns the parts of a panel, including all nested parts. */
function everythingShown(list: readonly Shown[]): Shown[] {
	return list.flatMap((each) => [
		each,
		...everythingShown([...(each.options ?? []), ...(each.values ?? []), ...(each.modes ?? [])]),
	]);
}

/**
 * Checks whether a text is in sentence case. Names keep their capitals, so only a text in which most later words are
 * capitalized counts as a title.
 */
function isSentenceCase(text: string): boolean {
	const [first = '', ...rest] = text.match(/(?<=^|\s)\p{L}+/gu) ?? [];
	const capitals = rest.filter((word) => /^\p{Lu}/u.test(word));
	return !/^\p{Ll}/u.test(first) && (rest.length < 2 || capitals.length <= rest.length / 2);
}

/** Matches an inserted number before a plural noun. The function `counted` selects the right form. */
const COUNT =
	/… (?:more |identical )?(?:attempts|calls|changes|columns|days|fields|files|hours|items|minutes|pages|records|requests|results|seconds|times|tries)\b/;
/** Texts whose number is never 1. */
const PLURALS = ['The node made … attempts.', 'at most … columns'];

test('uses a singular noun after 1 in every text', () => {
	const texts = literals().map(({ text }) => text);
	const wrong = texts.filter((text) => COUNT.test(text));
	expect(wrong.filter((text) => !PLURALS.some((plural) => text.includes(plural)))).toEqual([]);
	expect(failures()).not.toMatch(/(?<![\d.,])1 (?:\w+s\b|record[^.:]* (?:are|were|have)\b)/);
});

test('finds no two punctuation marks in a row', () => {
	const texts = [...failures().split('\n'), ...textsBesidePanels()];
	expect(texts.filter((text) => /,[.,;:]|[.;:],|(?<!\.)\.\.(?!\.)/.test(text))).toEqual([]);
});

describe("n8n's guidelines for texts", () => {
	// n8n's lint cannot check panels that are built from tables. The label of a notice is its text.
	test('finds no label, description or placeholder in the wrong form', () => {
		const shown = nodes.flatMap(({ displayName, description, properties }) => [
			{ displayName, description },
			...everythingShown(properties as Shown[]).filter(({ type }) => type !== 'notice'),
		]);
		const wrong = shown.filter((each: Shown) => {
			const { displayName = '', description = '', placeholder = '', type = '' } = each;
			const isExample = /collection/i.test(type) || /^(e\.g\. |$)/.test(placeholder);
			const isSwitch = type !== 'boolean' || description.startsWith('Whether ');
			const isTitle = titleCase(displayName) === displayName;
			return !isTitle || !isSentenceCase(description) || !isSwitch || !isExample;
		});
		expect(shown.length, 'shown').toBeGreaterThan(100);
		expect(wrong).toEqual([]);
	});

	test('sends questions about the service to its support', () => {
		const pages = globSync('{README.md,docs/*.md,examples/*.{md,json}}', { cwd: root });
		const texts = [failures(), ...textsBesidePanels(), ...pages.map(textOf), JSON.stringify(nodes)];
		const found = texts.flatMap((text) => text.match(/\bask\b[^.?!]*\boperator\b/gi) ?? []);
		expect(found).toEqual([]);
	});

	test('puts names of parameters in single quotes in errors, and in quotes or bold in hints', () => {
		const isLabel = (text: string) => parameters.includes(text.replace(/: [\w ]+$/, ''));
		const hints = textsBesidePanels().filter((text) => !isLabel(text));
		const problems = literals().filter(({ isProblem }) => isProblem);
		const texts = [
			...failures().split('\n'),
			...problems.map(({ text }) => text),
			...hints.map((text) => text.replace(/<b>[^<]*<\/b>/g, '')),
		];
		expect(texts.length, 'texts').toBeGreaterThan(200);
		const wrong = texts.filter((text) => unquotedIn(text).length > 0);
		expect(wrong.map((text) => `${unquotedIn(text).join(', ')} in: ${text}`)).toEqual([]);
	});
});
