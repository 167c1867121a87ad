import { describe, expect, it } from 'vitest';

import { namesForV1, operations } from '../../../nodes/WorkspaceData/operations.ts';

describe('every row of the operations table', () => {
	it('names the permission for each kind of credential, or none where every credential may', () => {
		for (const { permission, endpoints } of operations) {
			const named = Object.keys(permission).sort();
			if (named.length > 0) expect(named).toEqual(Object.keys(endpoints).sort());
		}
	});

	it('sets only what its kind of input has', () => {
		for (const row of operations) {
			const { kind, sendsData, choosesObjectType, fixedFields, mayBeEmpty, methods } = row;
			if (kind !== 'list' && kind !== 'changes') expect(choosesObjectType).toBeUndefined();
			if (sendsData) continue;
			expect([fixedFields, mayBeEmpty, methods]).toEqual([undefined, undefined, undefined]);
		}
	});
});

it('what a v1 token can do is said with each name once', () => {
	expect(namesForV1()).toBe('Enrich, Score and Who Am I');
});
