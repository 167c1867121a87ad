import { expect, test } from 'vitest';

import { functionsThatShip } from './functions.mts';

const functions = functionsThatShip();

test('no function has more than 40 lines', () => {
	const long = functions.filter(({ lines }) => lines > 40);
	expect(long.map(({ name, lines }) => `${name}: ${lines} lines`)).toEqual([]);
});

test('no function has another one of more than three lines inside, but for what it returns', () => {
	const inner = functions.filter(({ isInner }) => isInner);
	expect(inner.length).toBeGreaterThan(50);
	const long = inner.filter(({ bodyLines }) => bodyLines > 3);
	expect(long.map(({ name, bodyLines }) => `${name}: ${bodyLines} lines`)).toEqual([]);
});
