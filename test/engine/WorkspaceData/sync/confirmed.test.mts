/** Get Changes and Confirm Changes in one workflow, with n8n's data tables in memory. */
import type { INode } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';
import { idsHeld } from '../../../n8n/service.mts';
import { TableInMemory } from '../../../unit/WorkspaceData/sync/n8n.mts';
import { standIn } from '../../harness/nodes.mts';
import { useSandbox, type WorkflowRun } from '../../harness/support.mts';
import { runSync } from './run-sync.mts';

const bench = useSandbox({ companies: 60, orders: 40, items: 5, deals: 5 });
const everyType = { objectType: '={{ $json.type }}', options: { pageSize: 100 } };
const path = '/v2/public/records/query';

let tables: TableInMemory;
beforeEach(() => {
	tables = new TableInMemory();
});

/** The ids of what the last try of Get Changes gave. */
const cameIn = (run: WorkflowRun): string[] =>
	(run.nodes['Get Changes']?.at(-1)?.outputs[0] ?? []).map(({ json }) => String(json.id));

const hintsOf = (run: WorkflowRun, name: string): string[] =>
	(run.nodes[name]?.at(-1)?.hints ?? []).map(({ message }) => message);

const startItems = [{ type: 'company' }, { type: 'order' }];
const retryOnFail: Partial<INode> = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

describe('Retry On Fail', () => {
	test('gives everything in the second try, when the second of two syncs failed in the first', async () => {
		// The companies come with one request, and the first one for orders fails.
		bench.sandbox.addFault({ path, status: 404, skip: 1 });
		const run = await runSync(bench, tables, everyType, { startItems, node: retryOnFail });
		expect(run.status).toBe('success');
		const all = [...idsHeld(bench.sandbox), ...idsHeld(bench.sandbox, 'order')];
		expect(cameIn(run).toSorted()).toEqual(all.toSorted());
		expect(hintsOf(run, 'Confirm Changes')).toEqual([expect.stringContaining('Confirmed 100')]);
		const next = await runSync(bench, tables, everyType, { startItems });
		expect(cameIn(next)).toEqual([]);
	});

	test('gives the changes of the next run after all tries have failed', async () => {
		await runSync(bench, tables, everyType, { startItems });
		const changed = idsHeld(bench.sandbox).slice(20, 32);
		bench.sandbox.update('company', changed);
		bench.sandbox.addFault({ path, status: 404, skip: 1, times: Infinity });
		const failed = await runSync(bench, tables, everyType, { startItems, node: retryOnFail });
		expect(failed.status).toBe('error');
		expect(failed.nodes['Confirm Changes']).toBeUndefined();
		bench.sandbox.clearFaults();
		const next = await runSync(bench, tables, everyType, { startItems });
		expect(cameIn(next).toSorted()).toEqual(changed.toSorted());
	});
});

test('two input items of one sync are an error: the second would begin where the first began', async () => {
	const run = await runSync(bench, tables, everyType, { startItems: Array(2).fill(startItems[0]) });
	expect(run.nodes['Get Changes'][0].error?.message).toMatch(
		/^Give each input item its own 'Sync Name'/,
	);
});

describe('Confirm Changes', () => {
	const settings = { objectType: 'order', options: {} };

	test('that gets fewer records than were given confirms all of them, and says where it belongs', async () => {
		const everySecond = standIn('organization', (items) => items.filter((_item, n) => n % 2 === 0));
		const extraNodeTypes = { 'test.everySecond': everySecond };
		const between = 'test.everySecond';
		const run = await runSync(bench, tables, settings, { extraNodeTypes, between });
		expect(run.status).toBe('success');
		const hints = hintsOf(run, 'Confirm Changes').join();
		expect(hints).toMatch(/\b20\b.*\b40\b|\b40\b.*\b20\b/s);
		expect(hints).toMatch(/filter|loop/i);
		expect(cameIn(await runSync(bench, tables, settings))).toEqual([]);
	});

	test.each([
		['the credential', { apiKey: ' ' }, settings],
		['a parameter', {}, { options: { maxRecords: 0 } }],
		['a second item', { startItems }, settings],
		['the service', {}, { objectType: 'contcats' }],
		['the data table', {}, settings],
	])('says that Get Changes stopped early, where %s stopped it', async (what, more, parameters) => {
		tables.isDown = what === 'the data table';
		const node = { onError: 'continueRegularOutput' } as const;
		const run = await runSync(bench, tables, parameters, { ...more, node });
		const hints = hintsOf(run, 'Confirm Changes').join();
		expect(hints).toContain('Get Changes did not get to its end');
	});

	test('that gets all of them says how many, and the next run since when nothing changed', async () => {
		const run = await runSync(bench, tables, settings);
		expect(cameIn(run)).toHaveLength(40);
		expect(hintsOf(run, 'Get Changes')).toEqual([expect.stringContaining('external_number')]);
		expect(hintsOf(run, 'Confirm Changes')).toEqual([
			'Confirmed 40 changes. The next run returns only newer ones.',
		]);
		const quiet = await runSync(bench, tables, settings);
		expect(cameIn(quiet)).toEqual([]);
		expect(hintsOf(quiet, 'Get Changes')).toEqual([
			expect.stringMatching(/^No changes since \d+ \w+ 20\d\d, \d\d:\d\d \(.+\)\.$/),
		]);
		expect(quiet.nodes['Confirm Changes']).toBeUndefined();
	});
});

test('two Get Changes nodes of one ID are refused, unless each has a Sync Name', async () => {
	const twin = { node: { id: 'one' }, extraNodes: [{ id: 'one', name: 'Get Changes1' }] };
	const run = await runSync(bench, tables, { objectType: 'order' }, twin);
	const [{ error }] = run.nodes['Get Changes'];
	expect(error?.message).toBe('The nodes "Get Changes" and "Get Changes1" have the same ID');
	const named = { objectType: 'order', options: { syncName: 'a' } };
	expect(cameIn(await runSync(bench, tables, named, twin))).toHaveLength(40);
});
