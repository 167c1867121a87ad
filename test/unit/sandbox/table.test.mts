import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDataset } from '../../sandbox/dataset.mts';
import type { DateField } from '../../sandbox/types.mts';

const dateFields: DateField[] = ['updated_at', 'created_at'];
const change = fc.record({
	kind: fc.constantFrom('update', 'create', 'remove'),
	// Which of the records there are then, as shares of the whole.
	picks: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 5 }),
});

test('after any changes, every order and every position in it is what plain sorting gives', () => {
	const property = fc.property(
		fc.integer({ min: 0, max: 60 }),
		fc.integer({ min: 1, max: 9 }),
		fc.array(change, { maxLength: 12 }),
		(companies, seed, changes) => {
			const dataset = createDataset({ companies, seed });
			const table = dataset.tables.company;
			for (const { kind, picks } of changes) {
				const all = [...table.records()].map(({ id }) => String(id));
				const ids = picks.flatMap((pick) => all[Math.floor(pick * all.length)] ?? []);
				if (kind === 'create') table.create(picks.length, dataset.nextTime());
				else if (kind === 'update') table.update(ids, dataset.nextTime());
				else table.remove(ids);
			}
			for (const field of dateFields) {
				const key = (record: Record<string, unknown>) => `${record[field]} ${record.id}`;
				const sorted = [...table.records()].map(key).sort();
				const read = (indexes: number[]) =>
					indexes.map((index) => key(JSON.parse(table.textOf(index))));
				const everything = table.slice(field, 0, 1000);
				expect(table.count).toBe(sorted.length);
				expect(read(everything)).toEqual(sorted);
				everything.forEach((index, rank) => {
					const position = table.positionOf(field, index);
					expect(read(table.slice(field, table.rankAfter(field, position), 2))).toEqual(
						sorted.slice(rank + 1, rank + 3),
					);
					expect(read(table.slice(field, rank, 1))).toEqual([sorted[rank]]);
				});
			}
		},
	);
	fc.assert(property, { numRuns: 60 });
});

test.each(['companies', 'orders', 'items', 'deals'])('a wrong number of %s is refused', (name) => {
	expect(() => createDataset({ [name]: -1 })).toThrow(`${name} must be`);
	expect(() => createDataset({ [name]: 1.5 })).toThrow(`${name} must be`);
});
