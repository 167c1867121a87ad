import type { INodeExecutionData } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { runSync } from '../../../../nodes/WorkspaceData/sync/run.ts';
import type { Task } from '../../../../nodes/WorkspaceData/task.ts';
import { rowOf } from '../parameters-support.mts';
import { startExecution, TableInMemory } from './n8n.mts';

const whoAmI = { data: { workspace: { id: 'w' } } };
/** A service that has these records. */
const clientOf =
	(items: object[]) =>
	async ({ method }: { method: string }) => {
		const page = { success: true, data: { items }, meta: { pagination: { total: items.length } } };
		const body = method === 'GET' ? whoAmI : page;
		return { body, text: JSON.stringify(body), tookMs: 0 };
	};

let runs = 0;

/** The hints of a run of Get Changes, and the checkpoint after it. */
async function hintsOf(items: object[], parameters: Record<string, unknown> = {}) {
	const { context, hints } = startExecution(new TableInMemory());
	const output: INodeExecutionData[] = [];
	const values = { objectType: 'company', outputAs: 'batch', progress: 'given', ...parameters };
	const credential = { baseUrl: parameters.baseUrl, bearer: 'fake', secrets: [] };
	const task = {
		context: Object.assign(context, { getTimezone: () => 'Europe/Berlin' }),
		operation: rowOf('sync', 'getChanges'),
		session: {
			...{ client: clientOf(items), credential },
			...{ timeOfDay: () => Date.now(), throwIfCancelled: () => undefined },
		},
		fileNames: new Set(),
		itemIndex: 0,
		options: parameters.options ?? {},
		get: (name: string, otherwise?: unknown) => values[name as 'progress'] ?? otherwise,
		output,
	};
	await runSync(task as unknown as Task);
	return { hints, checkpoint: output[0]?.json.checkpoint };
}

it('a run that returns nothing says since when nothing has changed, by the clock of the workflow', async () => {
	const baseUrl = `https://service-${++runs}.example`;
	const company = { id: 1, name: 'Northwind', updated_at: '2026-11-24T15:05:59.5Z' };
	const first = await hintsOf([company], { baseUrl });
	expect(first.hints).toEqual([]);
	const { hints } = await hintsOf([company], { baseUrl, checkpoint: first.checkpoint });
	expect(hints).toEqual(['No changes since 24 Nov 2026, 16:05 (Europe/Berlin).']);
});

it.each([
	['beginning', [], 'No changes.'],
	['beginning', [{ id: 1, updated_at: 8.64e18 }], undefined],
	[
		'now',
		[{ id: 1, updated_at: '2026-11-24T15:05:59Z' }],
		'The existing records have been skipped.',
	],
])('a first run from %s, with the records %j, says: %s', async (startFrom, items, told) => {
	const { hints } = await hintsOf(items, {
		baseUrl: `https://service-${++runs}.example`,
		startFrom,
	});
	expect(hints).toEqual(told === undefined ? [] : [expect.stringContaining(told)]);
});

it('fields that no changed record has are named', async () => {
	const items = [{ id: 1, name: 'Northwind', updated_at: '2026-11-24T15:05:59Z' }];
	const options = { fields: 'Name, umsatz' };
	const { hints } = await hintsOf(items, { baseUrl: `https://service-${++runs}.example`, options });
	expect(hints).toEqual(['No record has the fields Name, umsatz. Names are case-sensitive.']);
});
