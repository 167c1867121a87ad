import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { titleOf } from '../../nodes/WorkspaceData/operation.ts';
import { rows } from '../../nodes/WorkspaceData/operations.ts';

const readText = (path: string): string =>
	readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docs/api.md', () => {
	const page = readText('docs/api.md');
	const endpoints = rows.flatMap((row) =>
		Object.values(row.endpoints).map(({ method, path }) => [titleOf(row), `${method} ${path}`]),
	);

	test.each(endpoints)('has the endpoint of %s: %s', (_title, endpoint) => {
		expect(page.includes(`\`${endpoint}\``), `docs/api.md lacks \`${endpoint}\``).toBe(true);
	});
});
