import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { staleFiles } from '../stale-build.mts';
import { root } from './imports.mts';

/** Creates a small package, and builds it with the compiler options of this package. */
function builtPackage() {
	const folder = mkdtempSync(path.join(tmpdir(), 'stale-build-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const write = (file: string, text: string) => {
		mkdirSync(path.join(folder, file, '..'), { recursive: true });
		writeFileSync(path.join(folder, file), text);
	};
	cpSync(path.join(root, 'tsconfig.json'), path.join(folder, 'tsconfig.json'));
	write('credentials/Example.credentials.ts', 'export class Example {}\n');
	write('nodes/Example.node.json', '{ "categories": [] }');
	write('nodes/part.ts', 'export interface Part { size: number }\n');
	write(
		'nodes/Example.node.ts',
		"import type { Part } from './part';\n/** Returns a part. */\nexport const part = (size?: number): Part => ({ size: size ?? 1 });\n",
	);
	execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], {
		cwd: folder,
	});
	write('icons/example.svg', '<svg/>');
	write('dist/icons/example.svg', '<svg/>');
	return { folder, write };
}

test('accepts a build of unchanged sources', () => {
	const { folder, write } = builtPackage();
	// Write the same text with a new time, as a checkout does.
	write('nodes/part.ts', 'export interface Part { size: number }\n');
	expect(staleFiles(folder)).toEqual([]);
});

test.each([
	['a source that changed', 'nodes/part.ts', 'export const part = 1;\n', 'dist/nodes/part.js'],
	['a new source', 'nodes/other.ts', 'export const other = 1;\n', 'dist/nodes/other.js'],
	[
		'a codex that changed',
		'nodes/Example.node.json',
		'{ "categories": ["Sales"] }',
		'dist/nodes/Example.node.json',
	],
	['an icon that changed', 'icons/example.svg', '<svg></svg>', 'dist/icons/example.svg'],
])('names the file of dist that is older than %s', (_name, file, text, stale) => {
	const { folder, write } = builtPackage();
	write(file, text);
	expect(staleFiles(folder)).toEqual([stale]);
});
