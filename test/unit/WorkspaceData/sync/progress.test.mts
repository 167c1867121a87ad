import { describe, expect, it, test } from 'vitest';

import { openProgress, TABLE_NAME } from '../../../../nodes/WorkspaceData/sync/progress.ts';
import type { SyncParameters } from '../../../../nodes/WorkspaceData/sync/sync-parameters.ts';
import { confirm, startExecution, TableInMemory } from './n8n.mts';
import { list, open, placeIn, reached, tableAt } from './opened.mts';

test.each([
	[undefined, 1],
	[10, 1],
	[undefined, 0],
	[10, 0],
])(
	'keeps the newer checkpoint if a slow run ends last (checkpoint before: %s, records of the slow run: %i)',
	async (place, records) => {
		const table = await tableAt(place);
		const [slow, quick] = [await open(table), await open(table)];
		await quick.keep(reached(30));
		await confirm(quick);
		await slow.keep(reached(20, records));
		await confirm(slow);
		expect(placeIn(table)).toBe(30);
		expect(slow.hints).toEqual(
			records === 0 ? [] : [expect.stringContaining('Nothing was confirmed')],
		);
	},
);

test.each([undefined, 10])(
	'confirms only the changes of the run that ends first if runs overlap (checkpoint before: %s)',
	async (place) => {
		const table = await tableAt(place);
		const first = await open(table);
		await first.keep(reached(20));
		const second = await open(table);
		await second.keep(reached(30));
		await confirm(first);
		expect(placeIn(table)).toBe(20);
		const third = await open(table);
		await third.keep(reached(30));
		await confirm(second);
		expect(placeIn(table)).toBe(20);
		expect(second.hints.at(-1)).toBe(
			'Nothing was confirmed for "Get Changes": another execution has confirmed changes in the meantime. Anything else that this execution read will be returned again.',
		);
		await confirm(third);
		expect(placeIn(table)).toBe(30);
		const hints = [first, third].map((run) => run.hints.at(-1));
		expect(hints).toEqual(Array(2).fill(expect.stringContaining('Confirmed 1 change')));
	},
);

test.each(['before', 'after'])(
	'continues from the stored checkpoint, even if the sync has an empty row %s the row with the checkpoint',
	async (place) => {
		const table = await tableAt(10);
		const [row] = table.rows;
		const empty = { key: row?.key, committed: null, reader: 'another execution' };
		table.tables.delete(TABLE_NAME);
		table.insert(TABLE_NAME, place === 'before' ? [empty, { ...row }] : [{ ...row }, empty]);
		expect((await open(table)).stored).toEqual({ place: 10 });
	},
);

describe('data tables of a deleted user that n8n transferred and renamed', () => {
	const handOver = (table: TableInMemory, of: string, place: number, updatedAt: string) => {
		const [{ key = '' } = {}] = table.rows;
		const committed = JSON.stringify({ place });
		table.insert(`${TABLE_NAME} (${of})`, [{ key, committed, reader: '', updatedAt }]);
	};

	it('copies the newest row from the data tables of a deleted user, and never reads these tables again', async () => {
		const table = await tableAt(10);
		handOver(table, 'Jane Doe <jane@example.com>', 30, '2026-11-03T08:00:00.000Z');
		handOver(table, 'John Doe <john@example.com>', 20, '2026-11-02T08:00:00.000Z');
		table.tables.set(TABLE_NAME, []);
		const first = await open(table);
		expect(first.stored).toEqual({ place: 30 });
		expect(placeIn(table)).toBe(30);
		await first.keep(reached(40));
		await confirm(first);
		expect(placeIn(table)).toBe(40);
		table.steps.length = 0;
		expect((await open(table)).stored).toEqual({ place: 40 });
		expect(table.steps).toEqual(['table:list', 'row:get']);
	});

	it('ignores the data table of a deleted user if the sync has a row already, or if the table name is different', async () => {
		const table = await tableAt(10);
		handOver(table, 'Jane Doe <jane@example.com>', 30, '2036-11-03T08:00:00.000Z');
		expect((await open(table)).stored).toEqual({ place: 10 });
		expect((await open(table, { nodeId: 'n2' })).stored).toBeUndefined();
		const longer = new TableInMemory();
		longer.insert(`${TABLE_NAME}_old`, [{ ...table.rows[0] }]);
		expect((await open(longer)).stored).toBeUndefined();
	});

	it('confirms changes that were read before n8n transferred the data table of a deleted user', async () => {
		const table = await tableAt(10);
		const run = await open(table);
		await run.keep(reached(20));
		handOver(table, 'Jane Doe <jane@example.com>', 10, '2026-11-03T08:00:00.000Z');
		table.tables.set(TABLE_NAME, []);
		await confirm(run);
		expect(placeIn(table)).toBe(20);
	});
});

test('asks n8n for the list of data tables only once in a run with many sync names', async () => {
	const table = await tableAt(10);
	const { nodeRun } = startExecution(table);
	const before = table.steps.length;
	for (const syncName of ['north', 'south', 'west'])
		await openProgress(nodeRun, { ...list, progress: 'confirmed', syncName } as SyncParameters);
	const lists = table.steps.slice(before).filter((step) => step === 'table:list');
	expect(lists).toHaveLength(1);
});

test('keeps the checkpoint of a renamed node, and starts a copied node without a checkpoint', async () => {
	const table = await tableAt(10);
	expect((await open(table, { name: 'Renamed' })).stored).toEqual({ place: 10 });
	expect((await open(table, { nodeId: 'n2' })).stored).toBeUndefined();
});

describe('changes that were not confirmed', () => {
	it('returns unconfirmed changes again in the next run, and shows only there that they were not confirmed', async () => {
		const table = new TableInMemory();
		const first = await open(table);
		await first.keep(reached(10));
		expect(first.hints).toEqual([]);
		const second = await open(table);
		expect(second.stored).toBeUndefined();
		await second.keep(reached(10));
		expect(second.hints).toEqual([expect.stringContaining('they were not confirmed')]);
		await confirm(second);
		const third = await open(table);
		await third.keep(reached(20));
		expect(third.hints).toEqual([]);
	});

	it.each([
		['', 'Add Confirm Changes'],
		['Filter', 'If "Filter" passed on no items, "Confirm" did not run. Use If and Merge'],
		['Set', 'The last run ended before "Confirm", or has not reached it yet.'],
	])(
		'explains why changes were not confirmed (node between Get Changes and Confirm Changes: "%s")',
		async (between, hint) => {
			const table = new TableInMemory();
			const chain = between === '' ? [] : ['Get Changes', between, 'Confirm'];
			const nodeOf = (name: string) => ({
				...{ name, typeVersion: 1, disabled: false, parameters: { operation: 'confirm' } },
				type:
					name === 'Confirm'
						? 'n8n-nodes-workspace-data.workspaceData'
						: `n8n-nodes-base.${name.toLowerCase()}`,
			});
			const graph = {
				getChildNodes: () => chain.slice(1).map(nodeOf),
				getParentNodes: (name: string) =>
					chain
						.slice(0, Math.max(0, chain.indexOf(name)))
						.slice(-1)
						.map(nodeOf),
			};
			await (await open(table)).keep(reached(10));
			const second = await open(table, { graph });
			await second.keep(reached(10));
			expect(second.hints).toEqual([expect.stringContaining(hint)]);
		},
	);

	it('does not confirm the changes of a slow run after a later run has found no changes', async () => {
		const table = await tableAt(10);
		const slow = await open(table);
		await slow.keep(reached(20));
		const quiet = await open(table);
		await quiet.keep(reached(15, 0));
		await confirm(slow);
		expect(placeIn(table)).toBe(15);
		expect(table.rows[0]?.reader).toBe('');
	});
});

test('writes nothing to the data table if a run finds no changes and no new checkpoint', async () => {
	const table = await tableAt(10);
	const before = table.writes;
	await (await open(table)).keep(reached(10, 0));
	expect(table.writes).toBe(before);
	await (await open(table)).keep(reached(20, 0));
	expect(placeIn(table)).toBe(20);
});
