import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { WARNING } from '../../nodes/WorkspaceData/operation.ts';
import { operations } from '../../nodes/WorkspaceData/operations.ts';

// The whole block is compared with what n8n gives an MCP client, which takes a real n8n: `npm run test:n8n`.
test('docs/ai.md describes the tool "Enrich a company" as a model sees it', () => {
	const enrich = operations.find((row) => row.resource === 'company' && row.operation === 'enrich');
	const text = readFileSync(new URL('../../docs/ai.md', import.meta.url), 'utf8');
	expect(text).toContain(
		`"description": "${enrich!.action}${WARNING[enrich!.repeat]} in Workspace Data"`,
	);
});
