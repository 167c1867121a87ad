import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { files, imports, root } from './imports.mts';

/** Each folder of nodes/ and what it may import from, besides itself. */
const mayImport: Record<string, string[]> = {
	client: [],
	common: ['client'],
	changes: ['client', 'common'],
	WorkspaceData: ['client', 'common', 'changes'],
	WorkspaceDataTrigger: ['client', 'common', 'changes'],
};

const folderOf = (file: string): string => file.split('/')[1] ?? '';

/** The first way round that leads from a file back to it, if any. */
function circleFrom(start: string): string[] | undefined {
	const ways = [[start]];
	const seen = new Set<string>();
	for (const way of ways) {
		for (const next of imports.get(way.at(-1) ?? '') ?? []) {
			if (next === start) return [...way, next];
			if (!seen.has(next)) ways.push([...way, next]);
			seen.add(next);
		}
	}
	return undefined;
}

describe('the folders of nodes/', () => {
	test('are those that are known here', () => {
		expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(mayImport).sort());
	});

	test('import downwards only, and no node imports the other', () => {
		const wrong = [...imports].flatMap(([file, targets]) =>
			targets
				.filter((target) => folderOf(target) !== folderOf(file))
				.filter((target) => !mayImport[folderOf(file)]?.includes(folderOf(target)))
				.map((target) => `${file} imports ${target}`),
		);
		expect(wrong).toEqual([]);
	});

	test('hold no circle of imports', () => {
		expect(files.flatMap((file) => circleFrom(file)?.join(' → ') ?? [])).toEqual([]);
	});

	test('hold no two folders that import each other', () => {
		const pairs = new Set(
			[...imports].flatMap(([file, targets]) =>
				targets.map((target) => `${path.posix.dirname(file)} → ${path.posix.dirname(target)}`),
			),
		);
		const both = [...pairs].filter((pair) => {
			const [from, to] = pair.split(' → ');
			// A folder and the features inside it are one house: its own files join them.
			const isInside = from?.startsWith(`${to}/`) || to?.startsWith(`${from}/`);
			return from !== to && !isInside && pairs.has(`${to} → ${from}`);
		});
		expect(both).toEqual([]);
	});

	test('say in their first file what they are for', () => {
		const first = new Map<string, string>();
		for (const file of files) {
			const folder = path.posix.dirname(file);
			if (!first.has(folder)) first.set(folder, file);
		}
		const silent = [...first]
			.filter(([folder, file]) => {
				const text = readFileSync(path.join(root, file), 'utf8');
				return !text.startsWith(`// ${folder}/: `);
			})
			.map(([, file]) => file);
		expect(silent).toEqual([]);
	});

	test('hold no file that wants to be two', () => {
		const long = files.filter(
			(file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 251,
		);
		expect(long).toEqual([]);
	});
});
