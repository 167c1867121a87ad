import type { INodeExecutionData } from 'n8n-workflow';
import { describe, expect, it, test } from 'vitest';

import { confirmChanges } from '../../../../nodes/WorkspaceData/sync/confirm.ts';
import { noteEnd, openProgress } from '../../../../nodes/WorkspaceData/sync/progress.ts';
import { WHERE_TO_CONFIRM } from '../../../../nodes/WorkspaceData/sync/properties.ts';
import { startExecution, TableInMemory, type FakeExecution } from './n8n.mts';

type Progress = Awaited<ReturnType<typeof openProgress>>;
type Reached = Parameters<Progress['keep']>[0];

const reached = (place: number, records = 1, items = records): Reached => ({
	state: { place } as unknown as Reached['state'],
	records,
	items,
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
	const parameters = { ...list, progress: 'confirmed', syncName, additional } as const;
	const kept = await openProgress(execution.context, parameters);
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
	await confirmChanges(run.context);
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
		await confirmChanges(quick.context);
		await slow.keep(reached(20, records));
		await confirmChanges(slow.context);
		expect(placeIn(table)).toBe(30);
		expect(slow.hints).toEqual(
			records === 0 ? [] : [expect.stringContaining('Nothing was confirmed')],
		);
	},
);

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
		await confirmChanges(second.context);
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
		await confirmChanges(slow.context);
		expect(placeIn(table)).toBe(15);
		expect(table.rows[0]?.pending).toBe('');
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
		const { context, hints } = startExecution(new TableInMemory());
		await expect(confirmChanges(context)).resolves.toEqual([{ json: {}, pairedItem: { item: 0 } }]);
		expect(hints).toEqual([
			'Nothing to confirm: no Get Changes before this step has read changes in this execution. Run the whole workflow, not this step alone.',
		]);
	});

	it('leaves what another branch has read alone', async () => {
		const table = new TableInMemory();
		const run = await open(table, { parent: 'Another Get Changes' });
		await run.keep(reached(10));
		await confirmChanges(run.context);
		expect(placeIn(table)).toBeUndefined();
		expect(run.hints).toEqual([expect.stringContaining('no Get Changes before this step')]);
	});

	it('says nothing where Get Changes ran and found nothing, or gave its checkpoint', async () => {
		const run = await open(new TableInMemory());
		await run.keep(reached(10, 0));
		await confirmChanges(run.context);
		expect(run.hints).toEqual([]);
		const { context, hints } = startExecution(new TableInMemory());
		const given = await openProgress(context, { ...list, progress: 'given' });
		await given.keep(reached(10));
		noteEnd(context, false);
		await confirmChanges(context);
		expect(hints).toEqual([]);
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
		await confirmChanges(first.context);
		expect(placeIn(table)).toBe(10);
		await (await open(table, { ...here, run: {} })).keep(reached(20));
	});

	it.each([1, 0])(
		'by two nodes of one Sync Name in a loop, of which the second gets %i, comes to an end',
		async (records) => {
			const table = new TableInMemory();
			const flow = {};
			const readBy = async (name: string, run: object, count: number): Promise<void> =>
				await (await open(table, { id: 'one', flow, name, run }, 'both')).keep(reached(10, count));
			await readBy('First', {}, 1);
			const run = {};
			// The second one may be a try of one run.
			for (let tries = 0; tries < 2; tries++) await readBy('Second', run, records);
			expect(Object.values(flow)).toEqual([
				{ [table.rows[0].key]: expect.objectContaining({ overtaken: ['First'] }) },
			]);
			for (let tries = 0; tries < 2; tries++) {
				await expect(readBy('First', {}, 1)).rejects.toMatchObject({
					message: 'Put Confirm Changes inside the loop, before Get Changes runs again',
				});
			}
		},
	);

	it('by two nodes of one Sync Name: only the last is confirmed, and the other says why it is not', async () => {
		const table = new TableInMemory();
		const flow = {};
		const first = await open(table, { id: 'one', flow, name: 'First', parent: 'First' }, 'both');
		await first.keep(reached(10));
		const second = await open(table, { id: 'one', flow, name: 'Second', parent: 'Second' }, 'both');
		await second.keep(reached(10));
		const why = `Nothing was confirmed for "First": "Second" has the same 'Sync Name'`;
		for (const confirmed of [false, true]) {
			await confirmChanges(first.context);
			expect(first.hints.pop()).toContain(confirmed ? 'Nothing to confirm' : why);
			if (!confirmed) await confirmChanges(second.context);
		}
		expect(second.hints).toEqual([expect.stringContaining('Confirmed 1 change')]);
		expect(placeIn(table)).toBe(10);
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
		const here = { id: 'one', flow: {}, parent: 'First' };
		const first = await open(table, { ...here, name: 'First' }, syncName, south);
		if (isRead) await first.keep(reached(10));
		await confirmChanges(first.context);
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
		await confirmChanges(again.context);
		expect(again.hints.join()).toContain('Confirmed');
	});
});

describe('Confirm Changes says how many changes it confirms, or that fewer came to it', () => {
	const plain = (count: number): INodeExecutionData[] =>
		Array.from({ length: count }, () => ({ json: { loaded: true } }));
	const batch = (count: number): INodeExecutionData => ({
		json: { records: Array.from({ length: count }, () => ({})), count, hasMore: false },
	});
	const file = (records: number): INodeExecutionData => ({
		json: { fileName: 'company.csv', part: 1, records, bytes: 5, hasMore: true },
	});

	it.each([
		['more items than there were', 5, 5, plain(9), ['if'], undefined],
		['a part of the items', 5, 5, plain(4), ['set'], '5 records, but only 4 items'],
		['none of a batch', 1, 1, [batch(0)], ['filter'], '1 record, but none'],
		['one item that a load made of all', 5, 5, plain(1), ['set', 'httpRequest'], undefined],
		['one item in a loop', 5, 5, plain(1), ['splitInBatches'], '5 records, but only 1 item'],
		['one item after a filter', 5, 5, plain(1), ['filter'], '5 records, but only 1 item'],
		['the batch', 500, 1, [batch(500)], ['if'], undefined],
		['two batches of three', 6, 3, [batch(2), batch(3)], ['set'], '6 records, but only 5 of them'],
		['a file of three', 30, 3, [file(10)], ['set'], '30 records, but only 10 of them'],
		['what a load made of each file', 30, 3, plain(3), ['if'], undefined],
	])('%s', async (_what, records, items, input, before, told) => {
		const table = new TableInMemory();
		const run = await open(table, { input, before });
		await run.keep(reached(10, records, items));
		await confirmChanges(run.context);
		expect(placeIn(table)).toBe(10);
		const all = `Confirmed ${records} changes. The next run returns only newer ones.`;
		const some = expect.stringContaining(`Get Changes returned ${told} came here`);
		expect(run.hints).toEqual([told === undefined ? all : some]);
		// The next round of a loop has nothing to say.
		await confirmChanges(run.context);
		expect(run.hints).toHaveLength(1);
	});

	it('counts all syncs that it confirms together', async () => {
		const table = new TableInMemory();
		const execution = { id: 'one', flow: {}, input: plain(3) };
		const first = await open(table, execution, 'first');
		await first.keep(reached(10, 3));
		await (await open(table, execution, 'second')).keep(reached(10, 4));
		await confirmChanges(first.context);
		expect(table.rows.map(({ pending }) => pending)).toEqual(['', '']);
		expect(first.hints.join()).toContain('returned 7 records, but only 3 items');
	});
});
