/** Tests which changes Confirm Changes confirms, and which messages it shows. */
import { describe, expect, it, test } from 'vitest';

import { confirm, startExecution, TableInMemory } from './n8n.mts';
import { open, placeIn, reached, tableAt } from './opened.mts';

test('confirms the changes again in a second attempt if the first failed after writing to the data table', async () => {
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

describe('Confirm Changes without changes to confirm', () => {
	it('reports that no Get Changes ran before Confirm Changes in the execution', async () => {
		const execution = startExecution(new TableInMemory());
		await confirm(execution);
		expect(execution.hints).toEqual([
			'Nothing to confirm: in this execution, no Get Changes before this node has read changes. Run the whole workflow, not this node alone. If Get Changes uses your own checkpoint, remove this node.',
		]);
	});

	it('does not confirm changes that a Get Changes node in another branch has read', async () => {
		const table = new TableInMemory();
		const run = await open(table, { parent: 'Another Get Changes' });
		await run.keep(reached(10));
		await confirm(run);
		expect(placeIn(table)).toBeUndefined();
		expect(run.hints).toEqual([expect.stringContaining('no Get Changes before this node')]);
	});

	it('shows no hint at Confirm Changes if Get Changes found no changes', async () => {
		const run = await open(new TableInMemory());
		await run.keep(reached(10, 0));
		await confirm(run);
		expect(run.hints).toEqual([]);
	});
});

test.each([
	['no node comes before it', []],
	['no Get Changes comes before it', ['Enrich']],
])('rejects a Confirm Changes node if %s', async (_what, before) => {
	const execution = startExecution(new TableInMemory());
	const getParentNodes = () =>
		before.map((name) => ({
			...{ name, type: 'n8n-nodes-workspace-data.workspaceData', typeVersion: 1, disabled: false },
			parameters: { resource: 'company', operation: 'enrich' },
		}));
	const alone = { ...execution, context: { ...execution.context, getParentNodes } };
	await expect(confirm(alone)).rejects.toMatchObject({
		message: 'Put Get Changes and Confirm Changes into one workflow',
	});
});

test('confirms nothing in a retried execution after Get Changes was renamed, and reports an error', async () => {
	const table = new TableInMemory();
	const run = await open(table);
	await run.keep(reached(10));
	const later = startExecution(table, { name: 'New Name' });
	const context = {
		...later.context,
		getContext: run.context.getContext,
		workflow: { nodes: { 'New Name': {}, 'Confirm Changes': {} } },
	};
	await expect(confirm({ ...later, context })).rejects.toMatchObject({
		message: 'Run the workflow again, and do not retry this execution',
	});
	expect(placeIn(table)).toBeUndefined();
});

test('rejects a Confirm Changes node in a loop, even if n8n does not show which nodes still have to run', async () => {
	const table = new TableInMemory();
	const run = await open(table);
	await run.keep(reached(10));
	const before: Record<string, string[]> = {
		'Confirm Changes': ['Loop', 'Get Changes'],
		Loop: ['Get Changes', 'Confirm Changes'],
	};
	const getParentNodes = (of: string) =>
		(before[of] ?? []).map((name) => ({
			name,
			type: name === 'Get Changes' ? 'n8n-nodes-workspace-data.workspaceData' : '',
			...{ typeVersion: 1, disabled: false },
		}));
	const looped = { ...run, context: { ...run.context, getParentNodes } };
	await expect(confirm(looped)).rejects.toMatchObject({
		message: 'Put Confirm Changes after the loop',
	});
	expect(placeIn(table)).toBeUndefined();
});

test('reports the number of confirmed changes of all syncs in one hint', async () => {
	const table = new TableInMemory();
	const execution = { id: 'one', flow: {} };
	const first = await open(table, execution, 'first');
	await first.keep(reached(10, 1_200));
	await (await open(table, execution, 'second')).keep(reached(10, 3));
	for (let rounds = 0; rounds < 2; rounds++) await confirm(first);
	expect(table.rows.map(({ reader }) => reader)).toEqual(['', '']);
	expect(first.hints).toEqual([
		'Confirmed 1,203 changes. The next run returns only newer changes.',
	]);
});
