import { expect, it } from 'vitest';

import { createGate } from '../../../nodes/WorkspaceDataTrigger/gate.ts';

const nothing = async (): Promise<string[]> => [];
const one = async (): Promise<string[]> => ['r'];

it('knows for a while from which state a trigger last gave out records', async () => {
	let now = 1_000;
	const pass = createGate(() => now);
	const isSaving = 'n8n is still saving what the last poll returned';
	for (const state of [{ cursor: 'x' }, undefined]) {
		expect(await pass('a', state, nothing)).toEqual([]);
		expect(await pass('a', state, one)).toEqual(['r']);
		now += 10_000;
		expect(await pass('a', state, one)).toBe(isSaving);
		expect(await pass('a', { cursor: 'z' }, nothing)).toEqual([]);
		expect(await pass('b', state, nothing)).toEqual([]);
	}
	now += 10_000;
	expect(await pass('a', undefined, one)).toEqual(['r']);
});
