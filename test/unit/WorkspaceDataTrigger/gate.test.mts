import { expect, it } from 'vitest';

import { createGate } from '../../../nodes/WorkspaceDataTrigger/gate.ts';

const finds =
	(...records: string[]) =>
	async () =>
		await Promise.resolve(records);

it('lets one poll of a trigger through at a time, and the next one after it, also after a failure', async () => {
	const pass = createGate(() => 0);
	let finish: (found: string[]) => void = () => undefined;
	const long = pass('a', 0, () => new Promise<string[]>((resolve) => (finish = resolve)));
	expect(await pass('a', 1, finds('second'))).toBe('the last poll is still under way');
	expect(await pass('b', 0, finds('other trigger'))).toEqual(['other trigger']);
	finish(['first']);
	expect(await long).toEqual(['first']);
	const failing = pass('a', 1, async () => await Promise.reject(new Error('no')));
	await expect(failing).rejects.toThrow('no');
	expect(await pass('a', 1, finds('third'))).toEqual(['third']);
});

it('knows for a while from which state a trigger last gave out records', async () => {
	let now = 1_000;
	const pass = createGate(() => now);
	const isSaving = 'n8n is still saving what the last poll returned';
	for (const state of [{ cursor: 'x' }, undefined]) {
		expect(await pass('a', state, finds())).toEqual([]);
		expect(await pass('a', state, finds('r'))).toEqual(['r']);
		now += 10_000;
		expect(await pass('a', state, finds('r'))).toBe(isSaving);
		expect(await pass('a', { cursor: 'z' }, finds())).toEqual([]);
		expect(await pass('b', state, finds())).toEqual([]);
	}
	now += 10_000;
	expect(await pass('a', undefined, finds('r'))).toEqual(['r']);
});
