import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { WorkspaceDataApi } from '../../../credentials/WorkspaceDataApi.credentials.ts';
import { operations as ROWS } from '../../../nodes/WorkspaceData/operations.ts';
import { properties } from '../../../nodes/WorkspaceData/node-properties.ts';

/** Returns the text of a file of the repository. */
const read = (file: string): string =>
	readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

describe('notices', () => {
	const notices = [...properties, ...new WorkspaceDataApi().properties].filter(
		({ type, name }) => type === 'notice' && !name.startsWith('fields'),
	);

	it.each(notices)('links the notice $name to an existing docs heading', ({ displayName }) => {
		const link = /href="([^"]*)"/.exec(displayName)?.[1] ?? '';
		const [address, heading] = link.split('#');
		const { homepage } = JSON.parse(read('package.json')) as { homepage: string };
		// GitHub shows the files of a repository only under /blob/.
		const files = `${homepage}/blob/HEAD/`;
		expect(address.startsWith(`${files}docs/`)).toBe(true);
		const headings = [...read(address.slice(files.length)).matchAll(/^#+ (.*)$/gm)];
		expect(headings.map(([, text]) => text.toLowerCase().replaceAll(' ', '-'))).toContain(heading);
	});
});

describe('actions of the operations', () => {
	const actions = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(
			({ options = [] }) => options as Array<Record<'value' | 'action' | 'description', string>>,
		);

	it('ends the text of an action with "(may be billed)" exactly if the operation may be billed', () => {
		for (const { value, action, description } of actions) {
			const isBilled = ROWS.some((row) => row.operation === value && row.repeat === 'billed');
			for (const text of [action, description])
				expect(text.endsWith(' (may be billed)'), text).toBe(isBilled);
		}
	});
});

it('sorts resources and operations by name in the panel', () => {
	for (const property of properties.filter(({ type }) => type === 'options')) {
		const { name, options = [] } = property;
		const offered = options.filter((option) => 'value' in option);
		const sorted = offered.toSorted((a, b) => a.name.localeCompare(b.name));
		expect([name, offered]).toEqual([name, sorted]);
	}
});
