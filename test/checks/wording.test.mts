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
 * Parameter names of several words. A name of one word can be an ordinary word, so it counts as a name only after
 * "set", "choose" or "change".
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
 * Returns the parameter names that an error text contains without single quotes. Ignores text in double quotes, because
 * it quotes choices and values. Also ignores "Limit Calls skipped" at the beginning of a hint.
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
 * Checks whether a text is in sentence case. Names keep their capitals, so a text fails only if most words after the
 * first are capitalized.
 */
function isSentenceCase(text: string): boolean {
	const [first = '', ...rest] = text.match(/(?<=^|\s)\p{L}+/gu) ?? [];
	const capitals = rest.filter((word) => /^\p{Lu}/u.test(word));
	return !/^\p{Ll}/u.test(first) && (rest.length < 2 || capitals.length <= rest.length / 2);
}

/**
 * Matches an inserted number before a plural noun. Texts must use the function `counted`, which selects singular or
 * plural.
 */
const COUNT =
	/… (?:more |identical )?(?:attempts|calls|changes|columns|days|fields|files|hours|items|minutes|pages|records|requests|results|seconds|times|tries)\b/;
/** Texts whose number is never 1. */
const PLURALS = ['The node made … attempts.', 'at most … columns'];

test('uses a singular noun after the number 1 in every text for users', () => {
	const texts = literals().map(({ text }) => text);
	const wrong = texts.filter((text) => COUNT.test(text));
	expect(wrong.filter((text) => !PLURALS.some((plural) => text.includes(plural)))).toEqual([]);
	expect(failures()).not.toMatch(/(?<![\d.,])1 (?:\w+s\b|record[^.:]* (?:are|were|have)\b)/);
});

test('finds no text with two punctuation marks in a row', () => {
	const texts = [...failures().split('\n'), ...textsBesidePanels()];
	expect(texts.filter((text) => /,[.,;:]|[.;:],|(?<!\.)\.\.(?!\.)/.test(text))).toEqual([]);
});

describe("n8n's guidelines for texts", () => {
	// n8n's lint rules cannot check panels that are built by code, so this test checks them. It skips notices, because
	// the label of a notice is a full sentence and not a title.
	test('finds only labels, descriptions and placeholders in the form that n8n requires', () => {
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

	test('never tells users to ask the operator of the service, only its support', () => {
		const pages = globSync('{README.md,docs/*.md,examples/*.{md,json}}', { cwd: root });
		const texts = [failures(), ...textsBesidePanels(), ...pages.map(textOf), JSON.stringify(nodes)];
		const found = texts.flatMap((text) => text.match(/\bask\b[^.?!]*\boperator\b/gi) ?? []);
		expect(found).toEqual([]);
	});

	test('puts parameter names in single quotes in errors, and in quotes or bold in hints', () => {
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
