import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import {
	findOperation,
	operations,
	resources,
	titleOf,
	type Operation,
} from '../../nodes/WorkspaceData/operations.ts';

const ROOT = new URL('../../', import.meta.url);
const ROWS: readonly Operation[] = operations;
const readText = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).sort();
const resourceName = ({ resource }: Operation): string | undefined =>
	resources.find(({ value }) => value === resource)?.name;

/** The table of design section 4, written out once more: requests by credential, kind, and whether it may be billed. */
const DESIGN = [
	'company:enrich POST /v2/enrich | POST /v1/enrich | call billed',
	'company:getAll GET /v2/public/companies | – | list free',
	'company:prospect POST /v2/prospect/companies | – | call billed',
	'company:score POST /v2/score | POST /v1/score | call billed company',
	'deal:score POST /v2/score | POST /v1/score | call billed deal',
	'item:getAll GET /v2/public/items | – | list free',
	'order:getAll GET /v2/public/orders | – | list free',
	'record:query POST /v2/public/records/query | – | list free',
	'workspace:whoAmI GET /v2/public/auth/whoami | GET /v1/public/auth/whoami | read free',
];

function lineOf({
	resource,
	operation,
	endpoints,
	kind,
	mayBeBilled,
	objectType,
}: Operation): string {
	const [v2, v1] = [endpoints.v2, endpoints.v1].map((endpoint) =>
		endpoint === undefined ? '–' : `${endpoint.method} ${endpoint.path}`,
	);
	const more = objectType === undefined ? '' : ` ${objectType}`;
	return `${resource}:${operation} ${v2} | ${v1} | ${kind} ${mayBeBilled ? 'billed' : 'free'}${more}`;
}

describe('the operations table', () => {
	it('is the one of the design', () => {
		expect(ROWS.map(lineOf).sort()).toEqual(DESIGN);
	});

	it('names the permission for every endpoint that needs one, by the scopes of the service', () => {
		for (const row of ROWS.filter(({ kind }) => kind !== 'read')) {
			expect(Object.keys(row.permission).sort()).toEqual(Object.keys(row.endpoints).sort());
		}
		const scopes = ROWS.map((row) => [`${row.resource}:${row.operation}`, row.permission.v1 ?? '']);
		expect(Object.fromEntries(scopes)).toMatchObject({
			'company:enrich': expect.stringContaining('companies:write'),
			'company:score': expect.stringContaining('companies:read'),
			'deal:score': expect.stringContaining('cases:read'),
		});
		expect(findOperation('company', 'prospect')?.permission.v2).toContain('Full access');
	});

	it('words each operation once, names in title case and actions as sentences', () => {
		for (const { name, action, description } of ROWS) {
			expect(name).toMatch(/^[A-Z][a-z]*( [A-Z][a-z]*)*$/);
			expect(action).toMatch(/^[A-Z][^A-Z.]*$/);
			expect(description).toMatch(/^[A-Z].*[^.]$/);
		}
		expect(new Set(ROWS.map(({ action }) => action)).size).toBe(ROWS.length);
	});

	it('says in the panel what may be billed', () => {
		for (const { description, mayBeBilled } of ROWS) {
			expect(description.includes('may be billed')).toBe(mayBeBilled);
		}
	});
});

describe('findOperation and titleOf', () => {
	it('find every row and nothing else', () => {
		for (const row of ROWS) expect(findOperation(row.resource, row.operation)).toBe(row);
		for (const [resource, operation] of [
			['deal', 'enrich'],
			['company', ''],
			['', 'getAll'],
			['__proto__', 'constructor'],
		]) {
			expect(findOperation(resource, operation)).toBeUndefined();
		}
	});

	it('say an operation as a person does', () => {
		expect(ROWS.map(titleOf)).toContain('Company: Get Many');
		for (const row of ROWS) expect(titleOf(row)).toBe(`${resourceName(row)}: ${row.name}`);
	});
});

describe('the codex file', () => {
	const codex = JSON.parse(readText('nodes/WorkspaceData/WorkspaceData.node.json')) as {
		node: string;
		alias: string[];
	};

	it('lets people find each operation by its name, and names no other', () => {
		const named = codex.alias.filter((alias) => alias.startsWith('Workspace Data: '));
		expect(named.sort()).toEqual(
			ROWS.map((row) => `Workspace Data: ${resourceName(row)} ${row.name}`).sort(),
		);
	});

	it('is about this node', () => {
		const { name } = JSON.parse(readText('package.json')) as { name: string };
		expect(codex.node).toBe(`${name}.workspaceData`);
	});
});

describe('package.json', () => {
	const { n8n } = JSON.parse(readText('package.json')) as {
		n8n: { strict: boolean; credentials: string[]; nodes: string[] };
	};
	/** The source that a built file comes from. */
	const sourceOf = (built: string): string => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

	it('names every node and every credential there is, and none that is missing', () => {
		expect(n8n.nodes.map(sourceOf).sort()).toEqual(filesOf('nodes/**/*.node.ts'));
		expect(n8n.credentials.map(sourceOf).sort()).toEqual(filesOf('credentials/*.credentials.ts'));
		for (const built of [...n8n.nodes, ...n8n.credentials]) expect(built).toMatch(/^dist\/.*\.js$/);
	});

	it('has a codex file for every node', () => {
		for (const built of n8n.nodes) {
			expect(existsSync(new URL(sourceOf(built).replace(/\.ts$/, '.json'), ROOT)), built).toBe(
				true,
			);
		}
	});

	it('declares strict mode', () => {
		expect(n8n.strict).toBe(true);
	});
});

describe('README.md', () => {
	/** Resource and operation of each row of the table under "## Operations". */
	function rowsOfReadme(): string[] {
		const [, section = ''] = readText('README.md').split(/^## Operations\s*$/m);
		return section
			.split(/^## /m, 1)[0]
			.split('\n')
			.filter((line) => line.startsWith('|'))
			.slice(2)
			.map((line) => line.split('|').slice(1, 3))
			.map(([resource, operation]) => `${resource.trim()}: ${operation.trim()}`);
	}

	it('lists every operation under "Operations", and no other', () => {
		expect(rowsOfReadme().sort()).toEqual(ROWS.map(titleOf).sort());
	});
});
