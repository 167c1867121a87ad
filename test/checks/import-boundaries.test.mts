import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { files, imports, textOf } from './imports.mts';

/** Folders of nodes/, each with the other folders from which it is allowed to import. */
const MAY_IMPORT: Record<string, string[]> = {
	client: [],
	lists: ['client'],
	changes: ['client', 'lists'],
	errors: ['client'],
	session: ['client', 'changes', 'errors'],
	panel: ['client', 'lists', 'changes', 'errors', 'session'],
	WorkspaceData: ['client', 'lists', 'changes', 'errors', 'session', 'panel'],
	WorkspaceDataTrigger: ['client', 'lists', 'changes', 'errors', 'session', 'panel'],
};

/** Returns the name of the folder directly in nodes/ or nodes/shared/ that contains a file. */
const folderOf = (file: string): string =>
	file.replace('nodes/shared/', 'nodes/').split('/')[1] ?? '';

/** Returns the shortest import cycle that begins at a file, or undefined if there is none. */
function cycleFrom(start: string): string[] | undefined {
	const paths = [[start]];
	const seen = new Set<string>();
	for (const current of paths) {
		for (const next of imports.get(current.at(-1) ?? '') ?? []) {
			if (next === start) return [...current, next];
			if (!seen.has(next)) paths.push([...current, next]);
			seen.add(next);
		}
	}
	return undefined;
}

describe('folders of nodes/', () => {
	test('finds only imports from allowed folders, and no import from one node into the other', () => {
		const wrong = [...imports].flatMap(([file, targets]) =>
			targets
				.filter((target) => folderOf(target) !== folderOf(file))
				.filter((target) => !MAY_IMPORT[folderOf(file)]?.includes(folderOf(target)))
				.map((target) => `${file} imports ${target}`),
		);
		expect(wrong).toEqual([]);
	});

	test('finds no circular imports', () => {
		expect(files.flatMap((file) => cycleFrom(file)?.join(' → ') ?? [])).toEqual([]);
	});

	test('finds no two folders that import each other', () => {
		const pairs = new Set(
			[...imports].flatMap(([file, targets]) =>
				targets.map((target) => `${path.posix.dirname(file)} → ${path.posix.dirname(target)}`),
			),
		);
		const both = [...pairs].filter((pair) => {
			const [from, to] = pair.split(' → ');
			// A folder and its subfolder are allowed to import each other, because the folder combines the code in its
			// subfolders.
			const isInside = from?.startsWith(`${to}/`) || to?.startsWith(`${from}/`);
			return from !== to && !isInside && pairs.has(`${to} → ${from}`);
		});
		expect(both).toEqual([]);
	});

	test('finds the API versions v1 and v2 only in credential.ts, api.ts and operations.ts', () => {
		const tables = ['shared/client/credential', 'shared/client/api', 'WorkspaceData/operations'];
		const others = [...files, 'credentials/WorkspaceDataApi.credentials.ts'].filter(
			(file) => !tables.some((name) => file === `nodes/${name}.ts`),
		);
		// Ignore n8n's execution order v1, which is not an API version.
		const named = others.filter((file) =>
			/['"`]v[12]['"`]|\/v[12]\b/.test(textOf(file).replaceAll("executionOrder: 'v1'", '')),
		);
		expect(named).toEqual([]);
	});

	test.each(['client', 'lists', 'changes'])('uses neither n8n nor a clock in %s/', (folder) => {
		const forbidden =
			/'n8n-workflow'|\b(?:Date\.now|performance\.now|new Date\(\)|setTimeout|setInterval)\b/;
		const inside = files.filter((file) => folderOf(file) === folder);
		expect(inside.length, 'inside').toBeGreaterThan(5);
		const wrong = inside.filter((file) => forbidden.test(textOf(file)));
		expect(wrong).toEqual([]);
	});
});
