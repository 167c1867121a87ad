import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { root, textOf } from './imports.mts';
import { literals } from './literals.mts';
import { failures, textsBesidePanels, textsPage, type Shown } from './texts.mts';

// One word for one thing, in n8n's words and those of other connectors. The older word is what fails here.
const WORDS: Array<[better: string, RegExp]> = [
	['temporary error', /passing faults?/gi],
	['accepts, refuses', /\b(?:does|do|did) not take\b/gi],
	['accepts, refuses', /\b(?:service|endpoint|API) (?:takes|took)\b(?! (?:\d|long))/gi],
	[
		'accepts, refuses',
		/\btakes? (?:a|the|no|this|these|any|few|fewer|more|further )?requests?\b/gi,
	],
	['API response', /\b(?:answers? of the service|the whole answer|what the service answers)\b/gi],
	['after, before', /(?<!\b(?:leaves?|left) )\bbehind\b/gi],
	['who it is, such as the caller', /\bwhoever\b/gi],
	['not recognized, not found', /\bdoes not know (?:this|the (?:key|token|address))\b/gi],
	['parallel requests', /\b(?:requests? (?:may |can )?(?:be|is|are)|at once) under way\b/gi],
	['parallel requests', /\bunder way at once\b/gi],
	['returns', /(?<!\bn8n )\bgives\b|\bput(?:s|ting)? out\b/gi],
	['returns', /\b(?:service|node|run|poll|trigger|expression|list|page) gave\b(?! up)/gi],
	['skipped', /\bunsent\b/gi],
	['continue', /\b(?:go|goes|going|went|gone) on\b/gi],
	['Advance After Confirm Changes (Safest)', /Kept, Moved by/g],
	['Use My Own Checkpoint', /Given as a Checkpoint/g],
];

/** What people read in files. */
const documents = globSync(
	'{README,SECURITY,CHANGELOG,CONTRIBUTING,docs/*,docs/maintainers/*,examples/README,test/*/README}.md',
	{ cwd: root },
);

interface ExampleNode {
	name: string;
	notes?: string;
	parameters: { content?: string };
}

/** The notes of a workflow that people import, and the names and notes of its nodes. */
function notesOf(file: string): string {
	const { nodes } = JSON.parse(textOf(file)) as { nodes: ExampleNode[] };
	return nodes.flatMap((node) => [node.name, node.parameters.content, node.notes]).join('\n');
}

/** The words of a text that have a better one, each with what stands around it. */
function olderWords(text: string): string[] {
	return WORDS.flatMap(([better, pattern]) =>
		[...text.matchAll(pattern)].map(({ index, 0: word }) => {
			const around = text.slice(Math.max(0, index - 40), index + word.length + 40);
			return `"${word}" should be "${better}": …${around.replace(/\s+/g, ' ')}…`;
		}),
	);
}

describe('has the words of the glossary', () => {
	test.each(documents)('%s', (file) => {
		// Neither comments nor the addresses of links.
		expect(olderWords(textOf(file).replace(/<!--[\s\S]*?-->|\]\([^)]*\)/g, ''))).toEqual([]);
	});

	test('all texts in n8n', () => {
		expect(textsPage().length).toBeGreaterThan(10_000);
		expect(olderWords(textsPage())).toEqual([]);
	});

	test.each(globSync('examples/*.json', { cwd: root }))('%s', (file) => {
		expect(olderWords(notesOf(file))).toEqual([]);
	});
});

/** Every parameter and option, without the unit in its name. */
const names = [new WorkspaceData(), new WorkspaceDataTrigger()]
	.flatMap(({ description }) => namesIn(description.properties as Shown[]))
	.concat(namesIn(new WorkspaceDataApi().properties as Shown[]))
	.map((name) => name.replace(/ \(.*\)$/, ''));
/** A name of one word is an ordinary word as well, unless it is what has to be set. */
const parameters = names.filter((name) => name.includes(' '));
const ofOneWord = [...new Set(names)].filter((name) => /^\w+$/.test(name)).join('|');
const unquotedWord = new RegExp(`\\b(?:[Cc]hoose|[Ss]et|[Cc]hange) (?:${ofOneWord})\\b`, 'g');

function namesIn(properties: readonly Shown[]): string[] {
	return properties.flatMap(({ type, displayName = '', options = [] }) => {
		const own = type === undefined || type === 'notice' ? [] : [displayName];
		return [...own, ...namesIn(options.filter((option) => option.type !== undefined))];
	});
}

/** What stands in double quotes is the name of a choice, or a value. A hint about money begins with what acted. */
function unquotedIn(error: string): string[] {
	const text = error.replace(/"[^"]*"|^Max Calls skipped/g, '');
	const unquoted = [...new Set(parameters)].filter((name) =>
		new RegExp(`(?<!['\\w])${name}(?!['\\w])`).test(text),
	);
	const words = [/\boptions? [A-Z]\w+/g, unquotedWord].flatMap((one) => text.match(one) ?? []);
	return [...unquoted, ...words];
}

describe('by the guidelines of n8n', () => {
	test('no text in n8n says failed, problem, mistake or is an error', () => {
		const replaced = /.*\b(?:failed|problems?|mistakes?|is an error)\b.*/gi;
		expect(textsPage().match(replaced) ?? []).toEqual([]);
	});

	test('errors have the names of parameters in single quotes, hints so or in bold', () => {
		const labels = parameters.flatMap((name) => [name, `${name}: Name`]);
		const said = textsBesidePanels().filter((text) => !labels.includes(text));
		const problems = literals().filter(({ isProblem }) => isProblem);
		const texts = [
			...failures().split('\n'),
			...problems.map(({ text }) => text),
			...said.map((text) => text.replace(/<b>[^<]*<\/b>/g, '')),
		];
		expect(texts.length).toBeGreaterThan(200);
		const wrong = texts.filter((text) => unquotedIn(text).length > 0);
		expect(wrong.map((text) => `${unquotedIn(text).join(', ')} in: ${text}`)).toEqual([]);
	});
});
