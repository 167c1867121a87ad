import { describe, expect, it } from 'vitest';

import { runsOf } from '../../bench/timing.mts';
import { inTurns, measureInRounds } from '../../bench/turns.mts';

describe('contenders in turns', () => {
	it('all come once in each round, and in six rounds in each order once', async () => {
		const asked: string[] = [];
		const turns = inTurns(
			['a', 'b', 'c'],
			async (name) => void asked.push(name),
			() => {},
		);
		for (let round = 0; round < 6; round++) await turns.nextRound();
		expect(asked.join('').match(/.{3}/g)).toEqual(['abc', 'cba', 'bca', 'acb', 'cab', 'bac']);
	});

	it('one that failed is told of and not asked again', async () => {
		const asked: string[] = [];
		const told: string[] = [];
		const measure = async (name: string): Promise<void> => {
			asked.push(name);
			if (name === 'a') throw new Error('out of memory');
		};
		const turns = inTurns(['a', 'b'], measure, (failure) => told.push(failure));
		for (let round = 0; round < 2; round++) await turns.nextRound();
		expect(asked.join('')).toBe('abb');
		expect([told, turns.failures]).toEqual([['out of memory'], { a: 'out of memory' }]);
	});
});

it('cases are measured round by round, each as often as it wants', async () => {
	const measured: string[] = [];
	const series = [
		{ rounds: 3, nextRound: async () => void measured.push('a') },
		{ rounds: 1, nextRound: async () => void measured.push('b') },
		{ rounds: 2, nextRound: async () => void measured.push('c') },
	];
	await measureInRounds(series, async () => void measured.push('|'));
	expect(measured.join('')).toBe('abc|ac|a|');
});

it.each([
	[{ records: 10_000, pageSize: 100, latencyMs: 0 }, 7],
	[{ records: 10_000, pageSize: 'default', latencyMs: 50 }, 7],
	[{ records: 100_000, pageSize: 100, latencyMs: 0 }, 21],
] as const)('%o is timed in %i rounds where seven are asked for', (timing, rounds) => {
	expect(runsOf(timing, 7)).toBe(rounds);
});
