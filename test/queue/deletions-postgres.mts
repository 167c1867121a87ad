import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newWorkflowId, readExamples, type WorkflowFile } from '../n8n/imports.mts';
import { itemsOf, type Execution } from '../n8n/rest.mts';
import { idsHeld } from '../n8n/service.mts';
import { changed, n8nNode } from '../n8n/workflows.mts';
import { awkward, serveAwkward, type PostgresLab } from './postgres-lab.mts';

const listPath = '/v2/public/records/query';
const exportNode = 'Get all ids';
const holdSeconds = 3;

let lab: PostgresLab;
let sync: WorkflowFile;
let deletions: WorkflowFile;
/** The example deletions-in-postgresql with different settings of its export node. */
let variants: Record<'held' | 'failed' | 'limited' | 'continued', WorkflowFile>;

type Change = (node: WorkflowFile['nodes'][number]) => void;

function withExport(workflow: WorkflowFile, name: string, change: Change): WorkflowFile {
	const copy = changed(workflow, exportNode, change);
	return { ...copy, id: newWorkflowId(), name: `Deletions ${name}` };
}

/**
 * Returns the example with files of 300 records, and with a pause between the export and the marking of deleted
 * records.
 */
function withWait(workflow: WorkflowFile): WorkflowFile {
	const copy = withExport(workflow, 'Held', (node) => {
		Object.assign(node.parameters, { options: { fields: 'id', recordsPerFile: 300 } });
	});
	const pause = n8nNode('Pause', 'wait', 1.1, { amount: holdSeconds });
	const placed = { ...pause, id: 'pause', position: [1000, 0] };
	copy.nodes.push(placed);
	copy.connections.Pause = copy.connections['Read the files'];
	copy.connections['Read the files'] = { main: [[{ node: 'Pause', type: 'main', index: 0 }]] };
	return copy;
}

const scheduleOf = ({ nodes }: WorkflowFile) =>
	nodes.find(({ type }) => type === 'n8n-nodes-base.scheduleTrigger')?.name;

const run = async (workflow: WorkflowFile) => await lab.succeed(workflow, scheduleOf(workflow));

/** Returns the numbers of marked and unmarked records that the example reports. */
const countsOf = (execution: Execution) => itemsOf(execution, 'Mark what is gone')[0]?.json;

const markedIds = async () =>
	await lab.sql('SELECT id FROM workspace_companies WHERE deleted_at IS NOT NULL ORDER BY id');

const idsInService = () => idsHeld(lab.sandbox);

/** Returns the ids that are in the table but no longer in the service. */
async function goneIds(): Promise<string[]> {
	const there = new Set(idsInService());
	const held = await lab.sql('SELECT id FROM workspace_companies ORDER BY id');
	return held.filter((id) => !there.has(id));
}

/** Deletes every n-th company in the service. Returns the deleted ids. */
function removeEvery(distance: number, offset: number): string[] {
	const removed = idsInService().filter((_id, place) => place % distance === offset);
	lab.sandbox.remove('company', removed);
	return removed;
}

/**
 * Checks whether the export has probably ended: the last request was a successful list request more than 250 ms ago.
 */
async function isPausing(): Promise<boolean> {
	const last = lab.sandbox.requests.at(-1);
	return last?.path === listPath && last.status === 200 && Date.now() - last.at > 250;
}

/** Tests the example that marks deleted records, with a real PostgreSQL and a sync that writes at the same time. */
export function testDeletions(running: PostgresLab): void {
	lab = running;
	beforeAll(async () => {
		const examples = await readExamples();
		sync = examples['changes-into-postgresql'];
		deletions = examples['deletions-in-postgresql'];
		variants = {
			held: withWait(deletions),
			failed: deletions,
			limited: withExport(deletions, 'Limited', (node) => {
				Object.assign(node.parameters, { returnAll: false, limit: 1_000 });
			}),
			continued: withExport(deletions, 'Continued', (node) => {
				Object.assign(node, { onError: 'continueRegularOutput' });
				Object.assign(node.parameters, { options: { fields: 'id', recordsPerFile: 200 } });
			}),
		};
		for (const workflow of [sync, ...Object.values(variants)]) await lab.n8n.store(workflow);
	});
	beforeEach(async () => {
		await run(sync);
		await run(deletions);
		expect(await markedIds()).toEqual(await goneIds());
	});

	test('marks only deleted records, and removes the mark if a record exists again', async () => {
		expect(await markedIds()).toEqual([]);
		const removed = removeEvery(60, 7);
		expect(countsOf(await run(deletions))).toEqual({ marked: String(removed.length), back: '0' });
		expect(await markedIds()).toEqual(removed);

		lab.sandbox.restore('company', removed.slice(0, 5));
		expect(countsOf(await run(deletions))).toEqual({ marked: '0', back: '5' });
		expect(await markedIds()).toEqual(removed.slice(5));
	});

	test('does not mark a company as deleted if PostgreSQL cannot store its id', async () => {
		// Mark all companies first. The next export contains only one company, so it would otherwise mark too many and
		// fail.
		await lab.sql('UPDATE workspace_companies SET deleted_at = now()');
		await lab.sql(`INSERT INTO workspace_companies VALUES ('${awkward.id}', '{}')`);
		serveAwkward(lab);
		expect(countsOf(await run(deletions))).toEqual({ marked: '0', back: '0' });
		expect(await markedIds()).not.toContain(awkward.id);
		await lab.sql(`DELETE FROM workspace_companies WHERE id = '${awkward.id}'`);
	});

	test('removes the mark of a deleted record if a sync writes a new version of the record', async () => {
		const [id = ''] = removeEvery(2_000, 11);
		await run(deletions);
		expect(await markedIds()).toContain(id);
		lab.sandbox.restore('company', [id]);
		lab.sandbox.update('company', [id]);
		await run(sync);
		expect(await markedIds()).not.toContain(id);
	});

	describe('an incomplete export', () => {
		const notMarked = 'not complete, so nothing was marked';

		test.each([
			['failed', 'is not allowed to use'],
			['continued', notMarked],
			['limited', notMarked],
		] as const)(
			'marks no record after an incomplete export (%s), and marks deleted records after a complete export',
			async (kind, message) => {
				const before = await markedIds();
				const removed = removeEvery(300, 3);
				if (kind !== 'limited') {
					lab.sandbox.addFault({ path: listPath, status: 403, skip: 1, times: Infinity });
				}
				const stopped = await lab.run(variants[kind], scheduleOf(variants[kind]));
				expect(stopped.error?.message).toContain(message);
				const hasFiles = itemsOf(stopped, exportNode).some(({ binary }) => binary !== undefined);
				expect(hasFiles).toBe(kind !== 'failed');
				expect(await markedIds()).toEqual(before);

				lab.sandbox.clearFaults();
				expect(countsOf(await run(deletions))).toEqual({
					marked: String(removed.length),
					back: '0',
				});
			},
		);
	});

	test('does not mark new records as deleted if a sync writes them between the export and the marking', async () => {
		const removed = removeEvery(400, 9);
		lab.sandbox.clearRequests();
		const running = run(variants.held);
		const [changed = ''] = idsInService();
		await expect.poll(async () => await isPausing(), { timeout: 30_000 }).toBe(true);
		const created = lab.sandbox.create('company', 5);
		lab.sandbox.update('company', [changed]);
		await run(sync);
		expect(await lab.sql(`SELECT id FROM workspace_companies WHERE id = '${created[0]}'`)).toEqual([
			created[0],
		]);
		const execution = await running;
		expect(itemsOf(execution, exportNode).length, 'items').toBeGreaterThan(8);
		expect(countsOf(execution)).toEqual({ marked: String(removed.length), back: '0' });
		expect(await markedIds()).toEqual(await goneIds());
	});

	test.each([
		['without any company', 1],
		['that lacks a quarter of the companies', 4],
	])('ends with an error and marks no company after an export %s', async (_what, distance) => {
		const before = await markedIds();
		const removed = removeEvery(distance, 0);
		const stopped = await lab.run(deletions, scheduleOf(deletions));
		expect(stopped.error?.message).toContain('More than a fifth of the companies would be marked');
		expect(stopped.error?.message).toContain(`: ${removed.length} of `);
		expect(await markedIds()).toEqual(before);
		lab.sandbox.restore('company', removed);
	});
}
