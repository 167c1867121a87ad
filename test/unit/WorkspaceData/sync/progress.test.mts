import { describe, expect, it, test } from 'vitest';

import type { SyncParameters } from '../../../../nodes/WorkspaceData/sync/sync-parameters.ts';
import {
	noteEnd,
	openProgress,
	TABLE_NAME,
} from '../../../../nodes/WorkspaceData/sync/progress.ts';
import { WHERE_TO_CONFIRM } from '../../../../nodes/WorkspaceData/sync/sync-properties.ts';
import { confirm, startExecution, TableInMemory, type FakeExecution } from './n8n.mts';

type Progress = Awaited<ReturnType<typeof openProgress>>;
type Reached = NonNullable<Parameters<Progress['keep']>[0]>;

const reached = (place: number, records = 1): Reached => ({
	state: { place } as unknown as Reached['state'],
	records,
});

const list = { objectType: 'company', field: 'updated_at' } as const;

/** An execution that has begun to read. */
async function open(
	table: TableInMemory,
	settings: Parameters<typeof startExecution>[1] = {},
	syncName?: string,
	additional?: Record<string, unknown>,
): Promise<FakeExecution & Progress> {
	const execution = startExecution(table, settings);
	const parameters = { ...list, progress: 'confirmed', syncName, additional };
	const kept = await openProgress(execution.run, parameters as SyncParameters);
	return { ...execution, ...kept };
}

const placeIn = (table: TableInMemory): unknown => {
	expect(table.rows).toHaveLength(1);
	return (JSON.parse(table.rows[0]?.committed ?? '{}') as { place?: number }).place;
};

/** A table in which a place is confirmed; none where it is undefined. */
async function tableAt(place: number | undefined): Promise<TableInMemory> {
	const table = new TableInMemory();
	if (place === undefined) return table;
	const run = await open(table);
	await run.keep(reached(place));
	await confirm(run);
	expect(placeIn(table)).toBe(place);
	return table;
}

test.each([
	[undefined, 1],
	[10, 1],
	[undefined, 0],
	[10, 0],
])(
	'two runs that begin at one place (%s) are not led back by the slower one, which gave %i',
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
	'of runs that overlap (place %s), each that ends first confirms, though others have read since, and in the end nothing is left',
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
			'Nothing was confirmed for "Get Changes": another execution has confirmed changes since this one read. What this one read beyond that comes again.',
		);
		await confirm(third);
		expect(placeIn(table)).toBe(30);
		const hints = [first, third].map((run) => run.hints.at(-1));
		expect(hints).toEqual(Array(2).fill(expect.stringContaining('Confirmed 1 change')));
	},
);

test('another try of Confirm Changes, after one that wrote and then failed, confirms the same', async () => {
	const table = await tableAt(10);
	const flow = {};
	const run = await open(table, { flow });
	await run.keep(reached(20));
	const asBefore = structuredClone(flow);
	await confirm(run);
	Object.assign(flow, asBefore);
	await confirm(run);
	expect(run.hints).toEqual(Array(2).fill(expect.stringContaining('Confirmed 1 change')));
	expect(placeIn(table)).toBe(20);
});

describe('tables that n8n renamed as it gave this project those of a user who left', () => {
	const handOver = (table: TableInMemory, of: string, place: number, updatedAt: string) => {
		const [{ key = '' } = {}] = table.rows;
		const committed = JSON.stringify({ place });
		table.insert(`${TABLE_NAME} (${of})`, [{ key, committed, reader: '', updatedAt }]);
	};

	it('are found: the row that was written last is taken over, and its table is not asked again', async () => {
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

	it('have no say where this project has a row, or they have none, nor has a table with a longer name', async () => {
		const table = await tableAt(10);
		handOver(table, 'Jane Doe <jane@example.com>', 30, '2036-11-03T08:00:00.000Z');
		expect((await open(table)).stored).toEqual({ place: 10 });
		expect((await open(table, { nodeId: 'n2' })).stored).toBeUndefined();
		const longer = new TableInMemory();
		longer.insert(`${TABLE_NAME}_old`, [{ ...table.rows[0] }]);
		expect((await open(longer)).stored).toBeUndefined();
	});

	it('let what was read before the user left be confirmed', async () => {
		const table = await tableAt(10);
		const run = await open(table);
		await run.keep(reached(20));
		handOver(table, 'Jane Doe <jane@example.com>', 10, '2026-11-03T08:00:00.000Z');
		table.tables.set(TABLE_NAME, []);
		await confirm(run);
		expect(placeIn(table)).toBe(20);
	});
});

test('a node keeps its place under another name, and another one, as a copy is, has its own', async () => {
	const table = await tableAt(10);
	expect((await open(table, { name: 'Renamed' })).stored).toEqual({ place: 10 });
	expect((await open(table, { nodeId: 'n2' })).stored).toBeUndefined();
});

describe('changes that nothing has confirmed', () => {
	it('come again, which the next run says, and no later one', async () => {
		const table = new TableInMemory();
		const first = await open(table);
		await first.keep(reached(10));
		expect(first.hints).toEqual([]);
		const second = await open(table);
		expect(second.stored).toBeUndefined();
		await second.keep(reached(10));
		expect(second.hints).toEqual([expect.stringContaining('nothing confirmed them')]);
		await confirm(second);
		const third = await open(table);
		await third.keep(reached(20));
		expect(third.hints).toEqual([]);
	});

	it('are not confirmed late, once a run has found nothing to give', async () => {
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

test('a run that found nothing and is where it was writes nothing', async () => {
	const table = await tableAt(10);
	const before = table.writes;
	await (await open(table)).keep(reached(10, 0));
	expect(table.writes).toBe(before);
	await (await open(table)).keep(reached(20, 0));
	expect(placeIn(table)).toBe(20);
});

describe('Confirm Changes that has nothing to confirm', () => {
	it('says that Get Changes did not run', async () => {
		const execution = startExecution(new TableInMemory());
		await confirm(execution);
		expect(execution.hints).toEqual([
			'Nothing to confirm: no Get Changes before this step has read changes in this execution. Run the whole workflow, not this step alone.',
		]);
	});

	it('leaves what another branch has read alone', async () => {
		const table = new TableInMemory();
		const run = await open(table, { parent: 'Another Get Changes' });
		await run.keep(reached(10));
		await confirm(run);
		expect(placeIn(table)).toBeUndefined();
		expect(run.hints).toEqual([expect.stringContaining('no Get Changes before this step')]);
	});

	it('says nothing where Get Changes ran and found nothing, or gave its checkpoint', async () => {
		const run = await open(new TableInMemory());
		await run.keep(reached(10, 0));
		await confirm(run);
		expect(run.hints).toEqual([]);
		const execution = startExecution(new TableInMemory());
		const given = await openProgress(execution.run, {
			...list,
			progress: 'given',
		} as SyncParameters);
		await given.keep(reached(10));
		noteEnd(execution.context, false);
		await confirm(execution);
		expect(execution.hints).toEqual([]);
	});
});

describe('one execution that reads a sync again', () => {
	const here = { id: 'one', flow: {} };

	it('in a later run of the node, without having confirmed, is told where Confirm Changes belongs', async () => {
		const table = new TableInMemory();
		const first = await open(table, here);
		await first.keep(reached(10));
		// The second try of that run fails as the first one does.
		const later = { ...here, run: {} };
		for (let tries = 0; tries < 2; tries++) {
			await expect(open(table, later)).rejects.toMatchObject({
				message: 'Put Confirm Changes inside the loop, before Get Changes runs again',
				description: expect.stringContaining(WHERE_TO_CONFIRM),
			});
		}
		// What it has read can still be confirmed.
		await confirm(first);
		expect(placeIn(table)).toBe(10);
		await (await open(table, { ...here, run: {} })).keep(reached(20));
	});

	it('by two nodes of one Sync Name is told that each needs its own, unless the first is confirmed before', async () => {
		const table = new TableInMemory();
		const shared = { id: 'one', flow: {} };
		const first = await open(table, { ...shared, name: 'First' }, 'both');
		await first.keep(reached(10));
		const second = { ...shared, name: 'Second', run: {} };
		await expect(open(table, second, 'both')).rejects.toMatchObject({
			message: `Give "First" and "Second" a 'Sync Name' each`,
		});
		await confirm(first);
		expect(placeIn(table)).toBe(10);
		await (await open(table, second, 'both')).keep(reached(20));
	});
});

describe('one execution that reads a sync with two filters, of which each would skip changes of the other', () => {
	const [south, north] = [{ region: 'south' }, { region: 'north' }];
	const refused = {
		message: "Give each filter its own 'Sync Name', by an expression",
		description: expect.stringContaining('{{ $json.region }}'),
	};

	it.each([
		['in a loop with Confirm Changes inside', undefined, 'First', true],
		['by two nodes of one Sync Name', 'both', 'Second', true],
		['in a loop, where nothing came the first time', undefined, 'First', false],
	])('is told %s that each filter needs a Sync Name', async (_how, syncName, name, isRead) => {
		const table = new TableInMemory();
		const here = { id: 'one', flow: {} };
		const first = await open(table, { ...here, name: 'First' }, syncName, south);
		if (isRead) await first.keep(reached(10));
		await confirm(first);
		for (let tries = 0; tries < 2; tries++) {
			const later = open(table, { ...here, name, run: {} }, syncName, north);
			await expect(later).rejects.toMatchObject(refused);
		}
		await open(table, { ...here, name, run: {} }, syncName, { region: 'south' });
	});

	it.each([
		['with a Sync Name for each', { run: {} }, 'other'],
		['in tries of one run, whose filter may be the time', {}, 'one'],
		['in a retry from the list, after the filter was edited', { id: 'two', run: {} }, 'one'],
	])('goes on %s', async (_how, more, syncName) => {
		const table = new TableInMemory();
		const here = { id: 'one', flow: {}, run: {} };
		await (await open(table, here, 'one', south)).keep(reached(10));
		const again = await open(table, { ...here, ...more }, syncName, north);
		await again.keep(reached(20));
		await confirm(again);
		expect(again.hints.join()).toContain('Confirmed');
	});
});

test('Confirm Changes in a loop confirms nothing, also where n8n does not tell what has still to run', async () => {
	const table = new TableInMemory();
	const run = await open(table);
	await run.keep(reached(10));
	const before: Record<string, string[]> = {
		'Confirm Changes': ['Loop', 'Get Changes'],
		Loop: ['Get Changes', 'Confirm Changes'],
	};
	const getParentNodes = (of: string) =>
		(before[of] ?? []).map((name) => ({ name, type: '', typeVersion: 1, disabled: false }));
	const looped = { ...run, context: { ...run.context, getParentNodes } };
	await expect(confirm(looped)).rejects.toMatchObject({
		message: 'Put Confirm Changes after the loop',
	});
	expect(placeIn(table)).toBeUndefined();
});

test('Confirm Changes says how many changes it confirms, of all syncs together, and says it once', async () => {
	const table = new TableInMemory();
	const execution = { id: 'one', flow: {} };
	const first = await open(table, execution, 'first');
	await first.keep(reached(10, 1_200));
	await (await open(table, execution, 'second')).keep(reached(10, 3));
	for (let rounds = 0; rounds < 2; rounds++) await confirm(first);
	expect(table.rows.map(({ reader }) => reader)).toEqual(['', '']);
	expect(first.hints).toEqual(['Confirmed 1,203 changes. The next run returns only newer ones.']);
});
