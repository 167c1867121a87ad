import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { files, imports, textOf } from './imports.mts';

/** Each folder of nodes/ and what it may import from, besides itself. */
const mayImport: Record<string, string[]> = {
	client: [],
	lists: ['client'],
	changes: ['client', 'lists'],
	errors: ['client'],
	session: ['client', 'changes', 'errors'],
	panel: ['client', 'lists', 'changes', 'errors', 'session'],
	WorkspaceData: ['client', 'lists', 'changes', 'errors', 'session', 'panel'],
	WorkspaceDataTrigger: ['client', 'lists', 'changes', 'errors', 'session', 'panel'],
};

/** Returns the folder of a file in nodes/ or nodes/shared/. */
const folderOf = (file: string): string =>
	file.replace('nodes/shared/', 'nodes/').split('/')[1] ?? '';

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

	test('name kinds of credential in their table, in the rows of operations and in the records query alone', () => {
		const tables = ['shared/client/credential', 'shared/client/api', 'WorkspaceData/operations'];
		const others = [...files, 'credentials/WorkspaceDataApi.credentials.ts'].filter(
			(file) => !tables.some((name) => file === `nodes/${name}.ts`),
		);
		// What n8n calls v1 is another thing.
		const named = others.filter((file) =>
			/['"`]v[12]['"`]|\/v[12]\b/.test(textOf(file).replaceAll("executionOrder: 'v1'", '')),
		);
		expect(named).toEqual([]);
	});

	test.each(['client', 'lists', 'changes'])('%s/ knows nothing of n8n, and no clock', (folder) => {
		const known =
			/'n8n-workflow'|\b(?:Date\.now|performance\.now|new Date\(\)|setTimeout|setInterval)\b/;
		const inside = files.filter((file) => folderOf(file) === folder);
		expect(inside.length, 'inside').toBeGreaterThan(5);
		const wrong = inside.filter((file) => known.test(textOf(file)));
		expect(wrong).toEqual([]);
	});
});
