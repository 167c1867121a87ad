import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { titleOf, WARNING } from '../../nodes/WorkspaceData/operation.ts';
import { operations } from '../../nodes/WorkspaceData/operations.ts';

const readText = (path: string): string =>
	readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docs/maintainers/api.md', () => {
	const page = readText('docs/maintainers/api.md');
	const endpoints = operations.flatMap((row) =>
		Object.values(row.endpoints).map(({ method, path }) => [titleOf(row), `${method} ${path}`]),
	);

	test.each(endpoints)('has the endpoint of %s: %s', (_title, endpoint) => {
		expect(page.includes(`\`${endpoint}\``), `docs/maintainers/api.md lacks \`${endpoint}\``).toBe(
			true,
		);
	});
});

// The whole block is compared with what n8n gives an MCP client, which takes a real n8n: `npm run test:n8n`.
test('docs/ai.md describes the tool "Enrich a company" as a model sees it', () => {
	const enrich = operations.find((row) => row.resource === 'company' && row.operation === 'enrich');
	expect(readText('docs/ai.md')).toContain(
		`"description": "${enrich!.action}${WARNING[enrich!.repeat]} in Workspace Data"`,
	);
});

describe('comments', () => {
	const files = globSync('{nodes,credentials,test}/**/*.{ts,mts}', {
		cwd: new URL('../../', import.meta.url),
		exclude: (name) => name === 'node_modules' || name === 'artifacts',
	}).map((path) => [path, readText(path).replace(/\n\s*\* /g, ' ')] as const);

	test('point to no section of a document that is not in the repository', () => {
		const outside = /(spec|specification|design) (sections? \d|rule \d|\d)/i;
		expect(files.filter(([, text]) => outside.test(text)).map(([path]) => path)).toEqual([]);
	});

	test('point to headings that docs/maintainers/api.md has', () => {
		const headings = [...readText('docs/maintainers/api.md').matchAll(/^## (.*)$/gm)].map(
			([, name]) => name,
		);
		const pointers = files.flatMap(([path, text]) =>
			[...text.matchAll(/docs\/maintainers\/api\.md, ([A-Z][a-z]*( [a-z]+)?)/g)].map(
				([, name = '']) => [path, name] as const,
			),
		);
		expect(pointers.length).toBeGreaterThan(10);
		const isHeading = (name: string) =>
			headings.some((heading) => name.startsWith(heading ?? name));
		expect(pointers.filter(([, name]) => !isHeading(name))).toEqual([]);
	});
});
