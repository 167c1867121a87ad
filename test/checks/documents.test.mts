import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import * as calls from '../../nodes/WorkspaceData/call/call-properties.ts';
import * as files from '../../nodes/WorkspaceData/export/file-options.ts';
import * as polls from '../../nodes/WorkspaceDataTrigger/trigger-properties.ts';
import * as changes from '../../nodes/shared/panel/changes-options.ts';
import * as requests from '../../nodes/shared/panel/request-options.ts';
import { WARNING } from '../../nodes/WorkspaceData/operation-row.ts';
import { operations } from '../../nodes/WorkspaceData/operations.ts';
import { addressChecks, closedLinks } from '../../tools/publish/address.mts';
import { root, textOf } from './imports.mts';
import { PAGE_SIZES } from '../../nodes/shared/lists/page-size.ts';

const defaults = { ...calls, ...changes, ...files, ...polls, ...requests };

const pathOf = (name: string): string => path.join(root, name);

const documents = globSync('{*.md,docs/**/*.md,examples/*.md,test/sandbox/*.md}', { cwd: root });

const sources = globSync('{nodes,test,tools,credentials}/**/*.{ts,mts,mjs}', {
	cwd: root,
	exclude: (name) => name === 'node_modules' || name === 'artifacts',
});
/** File names of all sources, without folders. */
const sourceNames = new Set(sources.map((file) => path.basename(file)));

/** All words in the source files and in package.json. All names of code in documents must be among these words. */
const sourceWords = new Set(
	['package.json', ...sources].flatMap((file) => textOf(file).match(/\w+/g) ?? []),
);

/** Matches names that only code has, such as `findOperation`, `ServiceFailure` and `KNOWN_TYPES`. */
const CODE_NAME = /\b([a-z]+([A-Z][a-z\d]+)+|([A-Z][a-z\d]+){2,}|[A-Z]+(_[A-Z]+)+)\b/g;

/**
 * Checks whether text in backticks is an environment variable or an expression of n8n, and not code of this package.
 */
const isOfN8n = (code: string): boolean => /^[A-Z\d_]+(=.*)?$|\{\{/.test(code);

/** Returns the texts between backticks in a Markdown file, without code blocks. */
function codeIn(name: string): string[] {
	const text = textOf(name).replace(/^```[\s\S]*?^```/gm, '');
	return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

describe.each(documents)('%s', (name) => {
	test('mentions only existing files and folders', () => {
		const named = codeIn(name).filter((code) =>
			/^(test|tools|nodes|docs|examples|credentials|icons)\/[\w./-]*$/.test(code),
		);
		expect(named.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
	});

	test('mentions only existing source files', () => {
		const files = codeIn(name).filter((code) => /^[\w.-]+\.(mts|mjs|ts)$/.test(code));
		expect(files.filter((file) => !sourceNames.has(file))).toEqual([]);
	});

	test('mentions only existing functions, types and constants', () => {
		const isForUsers = /^(docs\/)?[\w-]+\.md$/.test(name) && name !== 'CONTRIBUTING.md';
		const codes = codeIn(name).filter((code) => !isForUsers || !isOfN8n(code));
		const names = codes.flatMap((code) => code.match(CODE_NAME) ?? []);
		const gone = names.filter((word) => !sourceWords.has(word));
		expect(gone, 'names that no source file has').toEqual([]);
	});

	test('mentions only existing npm scripts', () => {
		const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
		const commands = [...textOf(name).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, run = '']) => run);
		expect(commands.filter((command) => !(command in scripts))).toEqual([]);
	});
});

test.each(['docs', 'docs/maintainers'])(
	'lists every page of the folder in %s/README.md',
	(folder) => {
		const text = textOf(`${folder}/README.md`);
		const pages = globSync('*.md', { cwd: pathOf(folder) }).filter((name) => name !== 'README.md');
		expect(pages.length, 'pages').toBeGreaterThan(5);
		expect(pages.filter((page) => !text.includes(`](${page})`))).toEqual([]);
	},
);

test('detects links that do not open on GitHub, and finds no such link in the repository', async () => {
	const check = addressChecks.find(({ name }) => name.startsWith('Links'));
	expect(await check!.find()).toEqual([]);
	const site = 'https://git.example/a/b';
	const links = [
		'docs/sync.md#x',
		'README.md',
		'blob/HEAD/docs/sync.md',
		'issues',
		'#docs',
		'b.git',
	];
	const text = links.map((link) => `[Show me](${site}/${link})`).join('\n');
	expect(
		closedLinks(site, [
			['docs/a.md', text],
			['README.md', ''],
		]),
	).toEqual([`docs/a.md: ${site}/docs/sync.md#x`, `docs/a.md: ${site}/README.md`]);
});

test.each(globSync('examples/*.json', { cwd: root }))(
	'finds only complete n8n resource locators in the example workflow %s',
	(file) => {
		const text = expect.stringMatching(/./) as unknown;
		JSON.parse(textOf(file), (key, value: unknown) => {
			const isLocator = ['objectType', 'dataTableId', 'workflowId'].includes(key);
			if (!isLocator && !('__rl' in Object(value))) return value;
			const whole = { __rl: true, mode: text, value: text, cachedResultName: text };
			expect(value, key).toEqual(expect.objectContaining(whole));
			return value;
		});
	},
);

test('lists every example in examples/README.md', () => {
	const text = textOf('examples/README.md');
	const files = globSync('*.json', { cwd: pathOf('examples') });
	expect(files.length, 'files').toBeGreaterThan(0);
	expect(files.filter((file) => !text.includes(`| [${file}](${file})`))).toEqual([]);
});

const written = (count: number): string => count.toLocaleString('en-US');

test.each([
	['docs/usage.md', `_Parallel Requests_ (${defaults.DEFAULT_MAX_CONCURRENT}) run at once`],
	['docs/reliability.md', `_Retry For_ says (${defaults.DEFAULT_RETRY_SECONDS} seconds)`],
	['docs/large-exports.md', PAGE_SIZES.map(written).join(', ')],
	['docs/large-exports.md', `**Records per File** (${written(defaults.DEFAULT_RECORDS_PER_FILE)})`],
	['docs/scaling.md', `_Parallel Requests_ (${defaults.DEFAULT_MAX_CONCURRENT})`],
	[
		'docs/how-the-trigger-works.md',
		`**Limit (Records per Poll)** (${written(defaults.DEFAULT_RECORDS_PER_POLL)})`,
	],
	[
		'docs/how-the-trigger-works.md',
		`**Lookback Window (Seconds)**, ${defaults.DEFAULT_LOOKBACK_SECONDS} by default`,
	],
])('finds the current default value of an option in %s: %s', (name, text) => {
	expect(textOf(name).replace(/\s+/g, ' ').includes(text), `${name} lacks ${text}`).toBe(true);
});

test('lists every endpoint in docs/maintainers/api.md', () => {
	const page = textOf('docs/maintainers/api.md');
	const endpoints = operations.flatMap((row) => Object.values(row.endpoints));
	const written = endpoints.map(({ method, path: address }) => `\`${method} ${address}\``);
	const missing = written.filter((endpoint) => !page.includes(endpoint));
	expect(missing, 'endpoints that its table under "Endpoints" lacks').toEqual([]);
});

// `npm run test:n8n` compares the whole code block in docs/ai.md with the tool that an MCP client receives from a real
// n8n.
test('finds the current tool description of "Enrich a company" in docs/ai.md', () => {
	const enrich = operations.find((row) => row.resource === 'company' && row.operation === 'enrich');
	expect(textOf('docs/ai.md')).toContain(
		`"description": "${enrich!.action}${WARNING[enrich!.repeat]} in Workspace Data"`,
	);
});
