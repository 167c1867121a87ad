import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import * as calls from '../../nodes/WorkspaceData/call/properties.ts';
import * as files from '../../nodes/WorkspaceData/export/properties.ts';
import * as polls from '../../nodes/WorkspaceDataTrigger/parameters.ts';
import * as changes from '../../nodes/common/panel/changes-options.ts';
import * as requests from '../../nodes/common/panel/request-options.ts';
import { operations } from '../../nodes/WorkspaceData/operations.ts';
import { root, textOf } from './imports.mts';
import { FIRST_PAGE_SIZE, LARGER_PAGE_SIZES } from '../../nodes/lists/page-size.ts';

const defaults = { ...calls, ...changes, ...files, ...polls, ...requests };

const pathOf = (name: string): string => path.join(root, name);

const documents = globSync('{*.md,docs/**/*.md,examples/*.md,test/sandbox/*.md}', { cwd: root });

const sources = globSync('{nodes,test,tools,credentials}/**/*.{ts,mts,mjs}', {
	cwd: root,
	exclude: (name) => name === 'node_modules' || name === 'artifacts',
});
/** Without their folders. */
const sourceNames = new Set(sources.map((file) => path.basename(file)));

/** Every word of the sources and of package.json. */
const sourceWords = new Set(
	['package.json', ...sources].flatMap((file) => textOf(file).match(/\w+/g) ?? []),
);

/** Words that only code has, such as `findOperation`, `ServiceFailure` and `KNOWN_TYPES`. */
const CODE_NAME = /\b([a-z]+([A-Z][a-z\d]+)+|([A-Z][a-z\d]+){2,}|[A-Z]+(_[A-Z]+)+)\b/g;

/** What n8n calls something, in the pages for users: its environment variables, and what stands in expressions. */
const isOfN8n = (code: string): boolean => /^[A-Z\d_]+(=.*)?$|\{\{/.test(code);

/** What stands in backticks, code blocks left out. */
function codeIn(name: string): string[] {
	const text = textOf(name).replace(/^```[\s\S]*?^```/gm, '');
	return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

describe.each(documents)('%s', (name) => {
	test('names files and folders that are there', () => {
		const ofFiles =
			/^((test|tools|nodes|docs|examples|credentials|icons)\/[\w./-]*|[\w.-]+\.(mts|mjs|ts))$/;
		const isThere = (file: string): boolean =>
			file.includes('/') ? existsSync(pathOf(file)) : sourceNames.has(file);
		const named = codeIn(name).filter((code) => ofFiles.test(code));
		expect(named.filter((file) => !isThere(file))).toEqual([]);
	});

	test('names functions, types and constants that are there', () => {
		const isForUsers = /^(docs\/)?[\w-]+\.md$/.test(name) && name !== 'CONTRIBUTING.md';
		const codes = codeIn(name).filter((code) => !isForUsers || !isOfN8n(code));
		const names = codes.flatMap((code) => code.match(CODE_NAME) ?? []);
		const gone = names.filter((word) => !sourceWords.has(word));
		expect(gone, 'names that no source file has').toEqual([]);
	});

	test('names commands that are there', () => {
		const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
		const commands = [...textOf(name).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, run = '']) => run);
		expect(commands.filter((command) => !(command in scripts))).toEqual([]);
	});
});

test.each([
	['docs', '*.md'],
	['docs/maintainers', '*.md'],
	['examples', '*.json'],
])('%s/README.md lists every file %s beside it', (folder, pattern) => {
	const text = textOf(`${folder}/README.md`);
	const names = globSync(pattern, { cwd: pathOf(folder) }).filter((name) => name !== 'README.md');
	expect(names.length, 'files').toBeGreaterThan(5);
	expect(names.filter((name) => !text.includes(`](${name})`))).toEqual([]);
});

describe('README.md', () => {
	const text = textRead(textOf('README.md'));

	test('has no figure that the benchmark does not have', () => {
		const benchmarks = textOf('docs/maintainers/benchmarks.md');
		const figures = text.replace(notMeasured, '').match(anyNumber) ?? [];
		expect(figures.length, 'figures').toBeGreaterThan(10);
		const measured = new Set(benchmarks.match(anyNumber));
		expect(figures.filter((figure) => !measured.has(figure))).toEqual([]);
	});
});

test.each(globSync('examples/*.json', { cwd: root }))('%s has whole resource locators', (file) => {
	const text = expect.stringMatching(/./) as unknown;
	JSON.parse(textOf(file), (key, value: unknown) => {
		const isLocator = ['objectType', 'dataTableId', 'workflowId'].includes(key);
		if (!isLocator && !('__rl' in Object(value))) return value;
		const whole = { __rl: true, mode: text, value: text, cachedResultName: text };
		expect(value, key).toEqual(expect.objectContaining(whole));
		return value;
	});
});

/** Digits, with what stands between them, that are no part of a name such as v2. */
const anyNumber = /(?<![\p{L}\p{N}_.-])\d+(?:[.,]\d+)*/gu;

/** Versions, and the status that a service responds with. */
const notMeasured = /(?:n8n|Node\.js|and) \d+(?:\.\d+)*|HTTP \d{3}/g;

/** What people read of a document, texts in place of pictures included: no addresses, no comments, no list numbers. */
function textRead(text: string): string {
	return text
		.replace(/<!--[\s\S]*?-->/g, '')
		.replace(/\]\([^)]*\)/g, ']')
		.replace(/^\d+\. /gm, '');
}

const written = (count: number): string => count.toLocaleString('en-US');

test.each([
	['docs/usage.md', `_Max Concurrent_ requests run at once (${defaults.DEFAULT_MAX_CONCURRENT})`],
	['docs/usage.md', `_Max Wait_ (${defaults.DEFAULT_MAX_WAIT_SECONDS / 60} minutes)`],
	['docs/reliability.md', `_Max Wait (Seconds)_ (${defaults.DEFAULT_MAX_WAIT_SECONDS})`],
	['docs/reliability.md', `_Max Retries_ (${defaults.DEFAULT_MAX_RETRIES})`],
	['docs/large-exports.md', `begins with ${FIRST_PAGE_SIZE} records`],
	['docs/large-exports.md', `up to ${written(Math.max(...LARGER_PAGE_SIZES))},`],
	['docs/large-exports.md', `**Records per File** (${written(defaults.DEFAULT_RECORDS_PER_FILE)})`],
	['docs/scaling.md', `_Max Concurrent_ (${defaults.DEFAULT_MAX_CONCURRENT})`],
	[
		'docs/how-the-trigger-works.md',
		`**Max Records per Poll** (${written(defaults.DEFAULT_RECORDS_PER_POLL)})`,
	],
	[
		'docs/how-the-trigger-works.md',
		`**Overlap (Seconds)**, ${defaults.DEFAULT_OVERLAP_SECONDS} by default`,
	],
])('%s has the default that the node has: %s', (name, text) => {
	expect(textOf(name).replace(/\s+/g, ' ').includes(text), `${name} lacks ${text}`).toBe(true);
});

test('docs/maintainers/api.md has every endpoint', () => {
	const page = textOf('docs/maintainers/api.md');
	const endpoints = operations.flatMap((row) => Object.values(row.endpoints));
	const written = endpoints.map(({ method, path: address }) => `\`${method} ${address}\``);
	const missing = written.filter((endpoint) => !page.includes(endpoint));
	expect(missing, 'to be added to its table under "Endpoints"').toEqual([]);
});
