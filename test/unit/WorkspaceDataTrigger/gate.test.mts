import { describe, expect, it } from 'vitest';

import { PollGate } from '../../../nodes/WorkspaceDataTrigger/gate.ts';

describe('PollGate', () => {
	it('lets one piece of work per trigger through at a time, and the next one after it, also after a failure', async () => {
		const gate = new PollGate(() => 0);
		let finish: (value: string) => void = () => undefined;
		const long = gate.pass('a', () => new Promise<string>((resolve) => (finish = resolve)));
		expect(await gate.pass('a', async () => 'second')).toBeUndefined();
		expect(await gate.pass('b', async () => 'other trigger')).toBe('other trigger');
		finish('first');
		expect(await long).toBe('first');
		await expect(gate.pass('a', async () => await Promise.reject(new Error('no')))).rejects.toThrow(
			'no',
		);
		expect(await gate.pass('a', async () => 'third')).toBe('third');
	});

	it('knows for a while from which state a trigger last gave out records', () => {
		let now = 1_000;
		const gate = new PollGate(() => now);
		gate.noteGivenOut('a', { cursor: 'x' });
		now += 10_000;
		expect(gate.isBeingSaved('a', { cursor: 'x' })).toBe(true);
		expect(gate.isBeingSaved('a', { cursor: 'z' })).toBe(false);
		expect(gate.isBeingSaved('a', undefined)).toBe(false);
		expect(gate.isBeingSaved('b', { cursor: 'x' })).toBe(false);
		gate.noteGivenOut('a', undefined);
		expect(gate.isBeingSaved('a', undefined)).toBe(true);
		now += 20_000;
		expect(gate.isBeingSaved('a', undefined)).toBe(false);
	});
});
