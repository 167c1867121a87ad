import { describe, expect, it } from 'vitest';

import { inTurns } from '../../bench/turns.mts';

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
