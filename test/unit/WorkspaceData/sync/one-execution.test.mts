/** Tests an execution in which Get Changes reads the same sync more than once. */
import { describe, expect, it } from 'vitest';

import { WHERE_TO_CONFIRM } from '../../../../nodes/WorkspaceData/sync/sync-properties.ts';
import { confirm, TableInMemory } from './n8n.mts';
import { open, placeIn, reached } from './opened.mts';

describe('one execution that reads a sync again', () => {
	const here = { id: 'one', flow: {} };

	it('rejects a second read of a sync before the first is confirmed, and says where to put Confirm Changes', async () => {
		const table = new TableInMemory();
		const first = await open(table, here);
		await first.keep(reached(10));
		// With Retry On Fail, the second attempt must fail like the first attempt.
		const later = { ...here, run: {} };
		for (let tries = 0; tries < 2; tries++) {
			await expect(open(table, later)).rejects.toMatchObject({
				message: 'Put Confirm Changes inside the loop, before Get Changes runs again',
				description: expect.stringContaining(WHERE_TO_CONFIRM),
			});
		}
		// The changes of the first read can still be confirmed.
		await confirm(first);
		expect(placeIn(table)).toBe(10);
		await (await open(table, { ...here, run: {} })).keep(reached(20));
	});

	it('asks for a different Sync Name if two nodes read the same sync, unless the first read was confirmed', async () => {
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

describe('one execution that reads a sync with two filters', () => {
	const [south, north] = [{ region: 'south' }, { region: 'north' }];
	const refused = {
		message: "Give each filter its own 'Sync Name' by an expression",
		description: expect.stringContaining('{{ $json.region }}'),
	};

	it.each([
		['in a loop that contains Confirm Changes', undefined, 'First', true],
		['in two nodes with the same Sync Name', 'both', 'Second', true],
		['in a loop whose first round found no changes', undefined, 'First', false],
	])('asks for a separate Sync Name for each filter %s', async (_how, syncName, name, isRead) => {
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
		['with a Sync Name for each filter', { run: {} }, 'other'],
		['in attempts of one run, because a filter can contain the time', {}, 'one'],
		['in a retried execution after the user edited the filter', { id: 'two', run: {} }, 'one'],
	])('accepts two different filters of a sync %s', async (_how, more, syncName) => {
		const table = new TableInMemory();
		const here = { id: 'one', flow: {}, run: {} };
		await (await open(table, here, 'one', south)).keep(reached(10));
		const again = await open(table, { ...here, ...more }, syncName, north);
		await again.keep(reached(20));
		await confirm(again);
		expect(again.hints.join()).toContain('Confirmed');
	});
});
