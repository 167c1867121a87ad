import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { needsRecordId } from '../../../nodes/WorkspaceData/operation.ts';
import { findOperation, namesForV1, operations } from '../../../nodes/WorkspaceData/operations.ts';

const ROOT = new URL('../../../', import.meta.url);
const readText = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).sort();

describe('every row of the operations table', () => {
	it('names the permission for each kind of credential, or none where every credential may', () => {
		for (const { permission, endpoints } of operations) {
			const named = Object.keys(permission).sort();
			if (named.length > 0) expect(named).toEqual(Object.keys(endpoints).sort());
		}
	});

	it('is worded as n8n words things', () => {
		for (const { name, action, description } of operations) {
			expect(name).toMatch(/^[A-Z][a-z]*( [A-Z][a-z]*)*$/);
			expect(action.replaceAll('AI', '')).toMatch(/^[A-Z][^A-Z.]*$/);
			expect(description).toMatch(/^[A-Z].*[^.]$/);
		}
		expect(new Set(operations.map(({ action }) => action)).size).toBe(operations.length);
	});

	it('sets only what its kind of input has', () => {
		for (const row of operations) {
			if (row.input !== 'list' && row.input !== 'changes')
				expect(row.choosesObjectType).toBeUndefined();
			if (row.input === 'data') continue;
			expect([row.fixedFields, row.mayBeEmpty, row.methods]).toEqual([
				undefined,
				undefined,
				undefined,
			]);
		}
	});

	it('is about one record with both kinds of credential, or with none', () => {
		for (const row of operations) {
			const paths = Object.values(row.endpoints).map(({ path }) => path);
			expect(paths.every((path) => path.includes('{id}') === needsRecordId(row))).toBe(true);
		}
	});
});

describe('findOperation and namesForV1', () => {
	it('find every row and nothing else', () => {
		for (const row of operations) expect(findOperation(row.resource, row.operation)).toBe(row);
		for (const [resource, operation] of [
			['deal', 'enrich'],
			['company', ''],
			['', 'getAll'],
			['__proto__', 'constructor'],
		]) {
			expect(findOperation(resource, operation)).toBeUndefined();
		}
	});

	it('say what a v1 token can do, each name once', () => {
		expect(namesForV1()).toBe('Enrich, Score and Who Am I');
	});
});

describe('package.json', () => {
	const { n8n } = JSON.parse(readText('package.json')) as {
		n8n: { credentials: string[]; nodes: string[] };
	};
	/** The source that a built file comes from. */
	const sourceOf = (built: string): string => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

	it('names every node and every credential there is, and none that is missing', () => {
		expect(n8n.nodes.map(sourceOf).sort()).toEqual(filesOf('nodes/**/*.node.ts'));
		expect(n8n.credentials.map(sourceOf).sort()).toEqual(filesOf('credentials/*.credentials.ts'));
		for (const built of [...n8n.nodes, ...n8n.credentials]) expect(built).toMatch(/^dist\/.*\.js$/);
	});
});
