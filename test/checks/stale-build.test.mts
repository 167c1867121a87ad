import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { staleFiles } from '../stale-build.mts';
import { root } from './imports.mts';

/** Creates a small package in a temporary folder, and builds it with the compiler options of this package. */
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

test('finds no outdated file in dist if a source file has a newer time but the same text', () => {
	const { folder, write } = builtPackage();
	// Write the same text with a newer file time, as a Git checkout does.
	write('nodes/part.ts', 'export interface Part { size: number }\n');
	expect(staleFiles(folder)).toEqual([]);
});

test.each([
	['changing a source file', 'nodes/part.ts', 'export const part = 1;\n', 'dist/nodes/part.js'],
	['adding a source file', 'nodes/other.ts', 'export const other = 1;\n', 'dist/nodes/other.js'],
	[
		'changing a codex file',
		'nodes/Example.node.json',
		'{ "categories": ["Sales"] }',
		'dist/nodes/Example.node.json',
	],
	['changing an icon', 'icons/example.svg', '<svg></svg>', 'dist/icons/example.svg'],
])('reports the missing or outdated file in dist after %s', (_name, file, text, stale) => {
	const { folder, write } = builtPackage();
	write(file, text);
	expect(staleFiles(folder)).toEqual([stale]);
});
