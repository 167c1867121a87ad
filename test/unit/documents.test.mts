import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import * as defaults from '../../nodes/common/defaults.ts';
import { FIRST_PAGE_SIZE, LARGER_PAGE_SIZES } from '../../nodes/client/page-size.ts';

const pathOf = (name: string): string => new URL(`../../${name}`, import.meta.url).pathname;
const textOf = (name: string): string => readFileSync(pathOf(name), 'utf8');

const documents = globSync('{*.md,docs/*.md,examples/*.md,test/sandbox/*.md}', { cwd: pathOf('') });

/** The names of all source files, without their folders. */
const sources = new Set(
	globSync('{nodes,test,credentials}/**/*.{ts,mts,mjs}', {
		cwd: pathOf(''),
		exclude: (name) => name === 'node_modules',
	}).map((file) => file.slice(file.lastIndexOf('/') + 1)),
);

/** What stands in backticks, code blocks left out. */
function codeIn(name: string): string[] {
	const text = textOf(name).replace(/^```[\s\S]*?^```/gm, '');
	return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

describe.each(documents)('%s', (name) => {
	test('names files and folders that are there', () => {
		const paths = codeIn(name).filter((code) =>
			/^(test|nodes|docs|examples|credentials|icons)\/[\w./-]*$/.test(code),
		);
		expect(paths.filter((path) => !existsSync(pathOf(path)))).toEqual([]);
	});

	test('names source files that are there', () => {
		const files = codeIn(name).filter((code) => /^[\w.-]+\.(mts|mjs|ts)$/.test(code));
		expect(files.filter((file) => !sources.has(file))).toEqual([]);
	});

	test('names commands that are there', () => {
		const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
		const commands = [...textOf(name).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, run = '']) => run);
		expect(commands.filter((command) => !(command in scripts))).toEqual([]);
	});
});

test('examples/README.md lists every example', () => {
	const text = textOf('examples/README.md');
	const files = globSync('*.json', { cwd: pathOf('examples') });
	expect(files.length).toBeGreaterThan(0);
	expect(files.filter((file) => !text.includes(`| [${file}](${file})`))).toEqual([]);
});

const written = (count: number): string => count.toLocaleString('en-US');

test.each([
	['README.md', `_Max Concurrent_ requests run at once (${defaults.DEFAULT_MAX_CONCURRENT})`],
	['README.md', `_Max Wait_ (${defaults.DEFAULT_MAX_WAIT_SECONDS / 60} minutes)`],
	['docs/reliability.md', `_Max Wait (Seconds)_ (${defaults.DEFAULT_MAX_WAIT_SECONDS})`],
	['docs/reliability.md', `_Max Retries_ (${defaults.DEFAULT_MAX_RETRIES})`],
	['docs/large-exports.md', `begins with ${FIRST_PAGE_SIZE} records`],
	['docs/large-exports.md', `up to ${written(Math.max(...LARGER_PAGE_SIZES))}.`],
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
