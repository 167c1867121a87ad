import { globSync } from 'node:fs';
import ts from 'typescript';
import { titleCase } from 'title-case';
import { expect, test } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { root, textOf } from './imports.mts';
import { failures, textsBesidePanels, type Shown } from './texts.mts';

/** Names of n8n itself, of its nodes, of other programs, and of buttons and choices of the examples. */
const OF_OTHERS = new Set(
	`Always Output Data, Continue, Data, Execute Once, Fetch Test Event, On Error, Attachments, Attachments (File),
Execution Order, Get, Production URL, Retry, Retry On Fail, Stop Workflow, AI Agent, Data Table, Convert to File,
Google Sheets, HTTP Request, Execute Workflow, If, MCP, MCP Server Trigger, Respond to Webhook, Schedule Trigger, Tools, Authentication,
Bearer Auth, Credential Type, Delimiter, Instructions, Local File, Max Iterations, Predefined Credential Type,
Response Code, URL, Convert to XLSX, Full, Regular, Workspace Data API, Workspace Data Service, Create, Tool,
Loop Over Items, Stop and Error, Approve, Decline, Download, Preview, Domain, Website, Credentials, Fixed, Expression, Save, Custom API Call,
Wait For Sub-Workflow Completion`.split(/,\s/),
)
	// An operation on one record would have it.
	.add('Record ID');

const nodes = [new WorkspaceData(), new WorkspaceDataTrigger()].map((node) => node.description);
const ours = new Set([
	...nodes.flatMap(({ displayName }) => [displayName]),
	...namesIn(nodes.flatMap(({ properties }) => properties as Shown[])),
	...namesIn(new WorkspaceDataApi().properties as Shown[]),
]);

/** Every name that a panel shows; texts may leave out what is in brackets, and what kind of choice it is. */
function namesIn(list: readonly Shown[]): string[] {
	return list.flatMap(({ displayName, name = '', options = [], values = [], modes = [] }) => {
		const label = displayName ?? name;
		const inside = namesIn([...options, ...values, ...modes]);
		return [label, label.replace(/ \(.*/, ''), ...label.split(': '), ...inside];
	});
}

/** What a text gives as a name: in quotes, bold or italics, with capital letters. A paragraph may begin in bold. */
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

test.each(texts)('%s calls options as the panel does', (_name, text) => {
	const wrong = namedIn(text).filter((name) => !ours.has(name) && !OF_OTHERS.has(name));
	expect([...new Set(wrong)], 'names that no panel has').toEqual([]);
});

/** Programs, formats and the like, which prose names. */
const PROPER_NOUNS = new Set(
	`Bearer, Chromium, Company, Excel, Limit, Markdown, Node, Redis, Split Out, Docker Compose, Creator Portal, Data API,
VS Code, License, AWS, SDKs, HTTP Request Domains, Keep a Changelog`.split(/,\s/),
);
const NAMES_OF_CODE = /`[^`]*`|\w*[a-z\d][A-Z]\w*/g;
const CAPITALIZED =
	/(?<![\w'."`(])[A-Z]\w*(?: (?:[A-Z]\w*|by|of|for|with|and|per|or))* [A-Z]\w*|[A-Z][a-z]+ \((?:Ms|Seconds)\)/g;

/** Words with capital letters, as the names of options have them. */
const capitalizedIn = (prose: string): string[] =>
	prose.replace(NAMES_OF_CODE, '').match(CAPITALIZED) ?? [];

/** The comments of a source file, and the names of its tests; of a page all of it, blocks of code left out. */
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

/** Whether words are names of a panel one after the other; the first may be an ordinary word that begins a sentence. */
function isMadeOfNames(words: readonly string[], isFirst = true): boolean {
	if (words.length === 0) return true;
	const isName = (name: string): boolean =>
		[ours, OF_OTHERS, PROPER_NOUNS].some((names) => names.has(name));
	const fits = words.some((_, index) => {
		const length = words.length - index;
		return isName(words.slice(0, length).join(' ')) && isMadeOfNames(words.slice(length), false);
	});
	// "Max" begins no sentence, and no name: it was part of several.
	const isOrdinary = (isFirst && words[0] !== 'Max') || /^[a-z]|^[A-Z\d]+$/.test(words[0]);
	return fits || (isOrdinary && isMadeOfNames(words.slice(1), false));
}

test('comments, names of tests and pages for maintainers call options as the panel does', () => {
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
		'names that no panel has; what is not ours belongs into OF_OTHERS or PROPER_NOUNS',
	).toEqual([]);
});
