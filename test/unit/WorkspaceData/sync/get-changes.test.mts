import type { INodeExecutionData } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { runSync } from '../../../../nodes/WorkspaceData/sync/get-changes.ts';
import { ListService } from '../../shared/changes/service.mts';
import { applyChange, create, update } from '../../shared/changes/change.mts';
import { plainTraits } from '../../shared/changes/service-traits.mts';
import { confirm, startExecution, TableInMemory } from './n8n.mts';
import type { History } from './steps.mts';
import { taskOf } from './task.mts';

const followed = {
	traits: plainTraits,
	event: 'recordUpdated',
	recordsPerFile: 2,
	datesAdvance: true,
} as const;
let runs = 0;

/** Runs Get Changes on a simulated service with these records. Returns the hints and the checkpoint. */
async function hintsOf(
	items: object[],
	{ baseUrl = `https://service-${++runs}.example`, startFrom = 'beginning', checkpoint = '' } = {},
) {
	const body = { success: true, data: { items }, meta: { pagination: { total: items.length } } };
	const service = {
		client: () => async () => ({ body, text: JSON.stringify(body), tookMs: 0 }),
		localTime: () => Date.now(),
	} as unknown as ListService;
	const execution = startExecution(new TableInMemory());
	Object.assign(execution.context, { getTimezone: () => 'Europe/Berlin' });
	const output: INodeExecutionData[] = [];
	const start = startFrom as 'beginning';
	const history = { ...followed, startFrom: start, outputAs: 'batch', progress: 'given' } as const;
	await runSync(taskOf(history, { service, baseUrl, checkpoint }, execution, output));
	return { hints: execution.hints, checkpoint: output[0]?.json.checkpoint as string };
}

it('cancels the requests of Get Changes when its attempt of the node run ends', async () => {
	const execution = startExecution(new TableInMemory());
	Object.assign(execution.context, { getTimezone: () => 'UTC' });
	const body = { success: true, data: { items: [] }, meta: { pagination: { total: 0 } } };
	const wasGivenUp: unknown[] = [];
	const ask = async (_request: unknown, _bounds: unknown, signal?: AbortSignal) => {
		execution.nodeRun.end();
		wasGivenUp.push(signal?.aborted);
		return { body, text: JSON.stringify(body), tookMs: 0 };
	};
	const service = { client: () => ask, localTime: () => Date.now() } as unknown as ListService;
	const baseUrl = `https://service-${++runs}.example`;
	const history = {
		...followed,
		startFrom: 'beginning',
		outputAs: 'batch',
		progress: 'given',
	} as const;
	await runSync(taskOf(history, { service, baseUrl, checkpoint: '' }, execution, []));
	expect(wasGivenUp).toEqual([true]);
});

const FIRST = 'Starting from the beginning ("company"): no progress is saved yet.';

it("shows the date of the last change, in the workflow's time zone, if Get Changes finds no changes", async () => {
	const baseUrl = 'https://service.example';
	const company = { id: 1, name: 'Northwind', updated_at: '2026-11-24T15:05:59.5Z' };
	const first = await hintsOf([company], { baseUrl });
	expect(first.hints).toEqual([FIRST]);
	const { hints } = await hintsOf([company], { baseUrl, checkpoint: first.checkpoint });
	expect(hints).toEqual(['No changes since 24 Nov 2026, 16:05 (Europe/Berlin).']);
});

it.each([
	['beginning', [], [FIRST, 'No changes.']],
	['beginning', [{ id: 1, updated_at: 8.64e15 }], [FIRST]],
	[
		'now',
		[{ id: 1, updated_at: '2026-11-24T15:05:59Z' }],
		['The existing records were skipped. From now on, changes are returned.'],
	],
])(
	'shows hints in a first run with Start From %s and the records %j: %j',
	async (startFrom, items, told) => {
		const { hints } = await hintsOf(items, { startFrom });
		expect(hints).toEqual(told);
	},
);

it('confirms no changes of a run if n8n cannot store one of its files, so that the next run returns all of them', async () => {
	const service = new ListService(plainTraits, 'updated_at');
	applyChange(service, create(5), true);
	const table = new TableInMemory();
	const place = { service, baseUrl: 'https://service.example', checkpoint: '' };
	const history = {
		...followed,
		startFrom: 'beginning',
		outputAs: 'ndjson',
		progress: 'confirmed',
	};
	/**
	 * Runs Get Changes and Confirm Changes. n8n cannot store the file with the index `unstored`. Returns the number of
	 * records, and the error of Get Changes.
	 */
	const run = async (unstored?: number): Promise<[records: number, said: string]> => {
		const execution = startExecution(table, { unstored });
		const output: INodeExecutionData[] = [];
		const task = taskOf(history as History, place, execution, output);
		const said = await runSync(task).then(() => '', String);
		await confirm(execution);
		return [output.reduce((sum, { json }) => sum + Number(json.records), 0), said];
	};
	expect(await run(2)).toEqual([4, expect.stringContaining('could not store')]);
	expect(await run()).toEqual([5, '']);
	expect(await run()).toEqual([0, '']);
});

it('returns all changes since a first run with Start From: Now in every run until they are confirmed', async () => {
	const service = new ListService({ ...plainTraits, pageSize: 2 }, 'updated_at');
	applyChange(service, create(5), true);
	service.tick(1);
	const table = new TableInMemory();
	const place = { service, baseUrl: 'https://service.example', checkpoint: '' };
	const most = { startFrom: 'now', outputAs: 'batch', progress: 'confirmed', maxRecords: 3 };
	const run = async (isConfirmed: boolean): Promise<unknown> => {
		const execution = startExecution(table);
		const output: INodeExecutionData[] = [];
		const history = { ...followed, traits: { ...plainTraits, pageSize: 2 }, ...most };
		await runSync(taskOf(history as History, place, execution, output));
		if (isConfirmed) await confirm(execution);
		return output[0]?.json.count;
	};
	const changes = [create(4), update(0, 1)];
	service.afterPage = () => {
		for (const change of changes.splice(0)) applyChange(service, change, true);
	};
	expect(await run(true)).toBeUndefined();
	expect(await run(true)).toBe(3);
	expect([await run(false), await run(true), await run(true)]).toEqual([2, 2, undefined]);
});
