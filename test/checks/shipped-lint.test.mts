import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

import { root, textOf } from './imports.mts';

const FILE = 'nodes/WorkspaceData/export/file-writer.ts';
const lint = new ESLint({ cwd: root, overrideConfigFile: 'test/shipped.eslint.config.mjs' });

// These lint rules need the types of all files, so each test adds a mistake to a real source file.
test.each([
	['a promise that is not awaited', 'await this.', 'this.', 'no-floating-promises'],
	[
		'an import of a devDependency',
		'import',
		"import 'csv-parse';\nimport",
		'no-restricted-imports',
	],
])('reports %s in shipped code, as npm run lint does', async (_name, from, to, rule) => {
	const text = textOf(FILE);
	expect(text).toContain(from);
	const [{ messages }] = await lint.lintText(text.replace(from, to), { filePath: root + FILE });
	expect(messages.map(({ ruleId }) => ruleId?.replace(/.*\//, ''))).toEqual([rule]);
});
