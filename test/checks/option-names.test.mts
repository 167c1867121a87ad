import { globSync } from 'node:fs';
import ts from 'typescript';
import { titleCase } from 'title-case';
import { expect, test } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { root, textOf } from './imports.mts';
import { failures, textsBesidePanels, type Shown } from './texts.mts';

/**
 * Names that texts can use although no panel of this package shows them. They come from n8n, from other nodes and
 * programs, and from the example workflows.
 */
const OTHER_NAMES = new Set(
	`Always Output Data, Continue, Data, Execute Once, Fetch Test Event, On Error, Attachments, Attachments (File),
Execution Order, Get, Production URL, Retry, Retry On Fail, Stop Workflow, AI Agent, Data Table, Convert to File,
Google Sheets, HTTP Request, Execute Workflow, If, MCP, MCP Server Trigger, Respond to Webhook, Schedule Trigger, Tools, Authentication,
Bearer Auth, Credential Type, Delimiter, Instructions, Local File, Max Iterations, Predefined Credential Type,
Response Code, URL, Convert to XLSX, Full, Regular, Workspace Data API, Workspace Data Service, Create, Tool,
Loop Over Items, Stop and Error, Approve, Decline, Download, Preview, Domain, Website, Credentials, Fixed, Expression, Save, Custom API Call,
Wait For Sub-Workflow Completion`.split(/,\s/),
)
	// Label in the guide that explains how to add an operation.
	.add('Record ID');

const nodes = [new WorkspaceData(), new WorkspaceDataTrigger()].map((node) => node.description);
const panelNames = new Set([
	...nodes.flatMap(({ displayName }) => [displayName]),
	...namesIn(nodes.flatMap(({ properties }) => properties as Shown[])),
	...namesIn(new WorkspaceDataApi().properties as Shown[]),
]);

/**
 * Returns every name that a panel shows. Texts can shorten a name, so the result also has each name without the words
 * in brackets, and each side of a colon alone.
 */
function namesIn(list: readonly Shown[]): string[] {
	return list.flatMap(({ displayName, name = '', options = [], values = [], modes = [] }) => {
		const label = displayName ?? name;
		const inside = namesIn([...options, ...values, ...modes]);
		return [label, label.replace(/ \(.*/, ''), ...label.split(': '), ...inside];
	});
}

/**
 * Returns the capitalized names that a text marks with quotes, bold or italics. Bold text at the start of a paragraph
 * is not a name.
 */
function namedIn(text: string): string[] {
	const marked = text.matchAll(
		/(?<![\w*]|^(?:\d\.|-)? ?)(?:'|\*\*|_|<b>)([A-Z][A-Za-z,:() -]*[A-Za-z)])(?:'|\*\*|_|<\/b>)/gm,
	);
	const names = [...marked].flatMap(([, name]) => [name, ...name.split(': ')]);
	return names.filter((name) => titleCase(name) === name && !name.includes(': '));
}

const documents = globSync('{README.md,CHANGELOG.md,docs/*.md,examples/*.{md,json}}', {
	cwd: root,
});
const texts: Array<[string, string]> = [
	...documents.map((file): [string, string] => [file, textOf(file)]),
	['errors', failures()],
	['hints', textsBesidePanels().join('\n')],
];

test.each(texts)('finds only option names that a panel shows in %s', (_name, text) => {
	const wrong = namedIn(text).filter((name) => !panelNames.has(name) && !OTHER_NAMES.has(name));
	expect([...new Set(wrong)], 'names that no panel has').toEqual([]);
});

/** Capitalized names of programs, formats and similar things in prose. */
const PROPER_NOUNS = new Set(
	`Bearer, Chromium, Company, Excel, Limit, Markdown, Node, Redis, Split Out, Docker Compose, Creator Portal, Data API,
VS Code, License, AWS, SDKs, HTTP Request Domains, Keep a Changelog`.split(/,\s/),
);
const NAMES_OF_CODE = /`[^`]*`|\w*[a-z\d][A-Z]\w*/g;
const CAPITALIZED =
	/(?<![\w'."`(])[A-Z]\w*(?: (?:[A-Z]\w*|by|of|for|with|and|per|or))* [A-Z]\w*|[A-Z][a-z]+ \((?:Ms|Seconds)\)/g;

/** Returns words that are capitalized like the names of options. */
const capitalizedIn = (prose: string): string[] =>
	prose.replace(NAMES_OF_CODE, '').match(CAPITALIZED) ?? [];

/** Returns the comments and test titles of a source file, or the text of a Markdown page without code blocks. */
function proseOf(file: string): string[] {
	const text = textOf(file);
	if (file.endsWith('.md')) return [text.replace(/^```[\s\S]*?^```/gm, '')];
	const comments = text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|[\s;,{])\/\/ .*$/gm);
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	return [
		...[...comments].map(([comment]) => comment.replace(/\n\s*(\*|\/\/) ?/g, ' ')),
		...namesOfTests(source),
	];
}

function namesOfTests(node: ts.Node): string[] {
	const inside: string[] = [];
	ts.forEachChild(node, (child) => void inside.push(...namesOfTests(child)));
	if (!ts.isCallExpression(node) || !/^(test|it|describe)\b/.test(node.expression.getText())) {
		return inside;
	}
	const [name] = node.arguments;
	return name !== undefined && ts.isStringLiteralLike(name) ? [name.text, ...inside] : inside;
}

/**
 * Checks whether a sequence of words consists of names that a panel shows. The first word can be an ordinary word,
 * because sentences begin with a capital letter.
 */
function isMadeOfNames(words: readonly string[], isFirst = true): boolean {
	if (words.length === 0) return true;
	const isName = (name: string): boolean =>
		[panelNames, OTHER_NAMES, PROPER_NOUNS].some((names) => names.has(name));
	const fits = words.some((_, index) => {
		const length = words.length - index;
		return isName(words.slice(0, length).join(' ')) && isMadeOfNames(words.slice(length), false);
	});
	// "Max" is not an ordinary word, because former option names began with "Max".
	const isOrdinary = (isFirst && words[0] !== 'Max') || /^[a-z]|^[A-Z\d]+$/.test(words[0]);
	return fits || (isOrdinary && isMadeOfNames(words.slice(1), false));
}

test('finds only option names that a panel shows in comments, test titles and pages for maintainers', () => {
	const pages = '{CONTRIBUTING.md,SECURITY.md,docs/maintainers/*.md,test/sandbox/README.md}';
	const code = '{nodes,credentials,test,tools}/**/*.{ts,mts}';
	const files = globSync([pages, code], {
		cwd: root,
		exclude: (name) => name === 'node_modules' || name === 'artifacts',
	});
	const found = files.flatMap((file) =>
		proseOf(file)
			.flatMap(capitalizedIn)
			.map((name) => [file, name] as const),
	);
	expect(found.length, 'names').toBeGreaterThan(100);
	const wrong = found.filter(([, name]) => !isMadeOfNames(name.split(' ')));
	expect(
		wrong.map((each) => each.join(': ')),
		'names that no panel has; add names from elsewhere to OTHER_NAMES or PROPER_NOUNS',
	).toEqual([]);
});
