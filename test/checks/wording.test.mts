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

/** Every parameter and option, without the unit in its name. */
const names = nodes
	.flatMap(({ properties }) => namesIn(properties as Shown[]))
	.concat(namesIn(new WorkspaceDataApi().properties as Shown[]))
	.map((name) => name.replace(/ \(.*\)$/, ''));
/** A name of one word is an ordinary word as well, unless it is what has to be set. */
const parameters = names.filter((name) => name.includes(' '));
const ofOneWord = [...new Set(names)].filter((name) => /^\w+$/.test(name)).join('|');
const unquotedWord = new RegExp(`\\b(?:[Cc]hoose|[Ss]et|[Cc]hange) (?:${ofOneWord})\\b`, 'g');

function namesIn(properties: readonly Shown[]): string[] {
	return properties.flatMap(({ type, displayName = '', options = [] }) => {
		const own = type === undefined || type === 'notice' ? [] : [displayName];
		const inside = options.flatMap((option) => (option.type ? [option] : (option.values ?? [])));
		return [...own, ...namesIn(inside)];
	});
}

/** What stands in double quotes is the name of a choice, or a value. A hint about money begins with what acted. */
function unquotedIn(error: string): string[] {
	const text = error.replace(/"[^"]*"|^Limit Calls skipped/g, '');
	const unquoted = [...new Set(parameters)].filter((name) =>
		new RegExp(`(?<!['\\w])${name}(?!['\\w])`).test(text),
	);
	const words = [/\boptions? [A-Z]\w+/g, unquotedWord].flatMap((one) => text.match(one) ?? []);
	return [...unquoted, ...words];
}

/** A parameter and all that is inside it. */
function everythingShown(list: readonly Shown[]): Shown[] {
	return list.flatMap((each) => [
		each,
		...everythingShown([...(each.options ?? []), ...(each.values ?? []), ...(each.modes ?? [])]),
	]);
}

/**
 * Whether a text starts like a sentence and does not go on like a title. Names and abbreviations keep their capitals,
 * so only a text in which most later words have one counts as a title.
 */
function isSentenceCase(text: string): boolean {
	const [first = '', ...rest] = text.match(/(?<=^|\s)\p{L}+/gu) ?? [];
	const capitals = rest.filter((word) => /^\p{Lu}/u.test(word));
	return !/^\p{Ll}/u.test(first) && (rest.length < 2 || capitals.length <= rest.length / 2);
}

/** A number that is put into a text, with a plural noun after it. `counted` would choose the noun. */
const COUNT =
	/… (?:more |identical )?(?:attempts|calls|changes|columns|days|fields|files|hours|items|minutes|pages|records|requests|results|seconds|times|tries)\b/;
/** Their numbers are never 1. */
const PLURALS = ['It was tried … times.', 'at most … columns'];

test('every count has the singular noun for 1', () => {
	const texts = literals().map(({ text }) => text);
	const wrong = texts.filter((text) => COUNT.test(text));
	expect(wrong.filter((text) => !PLURALS.some((plural) => text.includes(plural)))).toEqual([]);
	expect(failures()).not.toMatch(/(?<![\d.,])1 (?:\w+s\b|record[^.:]* (?:are|were|have)\b)/);
});

test('no text has two punctuation marks in a row', () => {
	const texts = [...failures().split('\n'), ...textsBesidePanels()];
	expect(texts.filter((text) => /,[.,;:]|[.;:],|(?<!\.)\.\.(?!\.)/.test(text))).toEqual([]);
});

describe('by the guidelines of n8n', () => {
	// n8n's lint cannot see panels that are built from tables. It shows a notice's label as its text.
	test('labels, descriptions and placeholders of the panels', () => {
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

	test('who has a question about the service is sent to its support', () => {
		const pages = globSync('{README.md,docs/*.md,examples/*.{md,json}}', { cwd: root });
		const texts = [failures(), ...textsBesidePanels(), ...pages.map(textOf), JSON.stringify(nodes)];
		const asked = texts.flatMap((text) => text.match(/\bask\b[^.?!]*\boperator\b/gi) ?? []);
		expect(asked).toEqual([]);
	});

	test('errors have the names of parameters in single quotes, hints so or in bold', () => {
		const isLabel = (text: string) => parameters.includes(text.replace(/: [\w ]+$/, ''));
		const said = textsBesidePanels().filter((text) => !isLabel(text));
		const problems = literals().filter(({ isProblem }) => isProblem);
		const texts = [
			...failures().split('\n'),
			...problems.map(({ text }) => text),
			...said.map((text) => text.replace(/<b>[^<]*<\/b>/g, '')),
		];
		expect(texts.length, 'texts').toBeGreaterThan(200);
		const wrong = texts.filter((text) => unquotedIn(text).length > 0);
		expect(wrong.map((text) => `${unquotedIn(text).join(', ')} in: ${text}`)).toEqual([]);
	});
});
