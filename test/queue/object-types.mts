import { beforeEach, expect, test } from 'vitest';
import { readExamples, type WorkflowFile } from '../n8n/imports.mts';
import { itemsOf, postJson, type Execution } from '../n8n/rest.mts';
import { idsHeld } from '../n8n/service.mts';
import { objectTypeNames, type ObjectType } from '../sandbox/object-types.mts';
import { workerConcurrency, type Cluster } from './cluster.mts';
import { executionsSince, exportedIds } from './executions.mts';
import { usePart } from './part.mts';

const recordsOfEach = 2_003;
const nodeName = 'Read all its records';
/** Four times as many as one worker runs at once: exports wait for the service, so it is workers that they wait for. */
const manyExports = 4 * workerConcurrency;

/** Which type an export was of, by its file's name. */
function typeOf(execution: Execution): ObjectType {
	const name = itemsOf(execution, nodeName)[0]?.binary?.data?.fileName ?? '';
	return name.slice(0, name.indexOf('-')) as ObjectType;
}

/** How many executions, at most, ran at the same time. */
function mostAtOnce(executions: Execution[]): number {
	const runsAt = (time: number): Execution[] =>
		executions.filter(
			({ startedAt, seconds }) => startedAt <= time && time < startedAt + 1_000 * seconds,
		);
	return Math.max(...executions.map(({ startedAt }) => runsAt(startedAt).length));
}

/** The example that exports every object type at once, by both workers. */
export function testObjectTypes(running: () => Cluster): void {
	let example: WorkflowFile;
	const part = usePart(running, {
		name: 'queue-object-types',
		sandbox: {
			companies: recordsOfEach,
			deals: recordsOfEach,
			items: recordsOfEach,
			orders: recordsOfEach,
		},
		workflows: async () => [(example = (await readExamples())['export-every-object-type'])],
	});
	beforeEach(() => part.sandbox.setLatency(100));

	/** What a function starts besides itself, once all of it has ended. */
	async function exportsOf(count: number, begin: () => Promise<string[]>): Promise<Execution[]> {
		const { client } = part.cluster;
		const known = await client.listExecutions(example.id);
		known.push(...(await begin()));
		const ids = await executionsSince(client, example.id, known, count);
		expect(ids).toHaveLength(count);
		const executions = await Promise.all(ids.map(async (id) => await client.waitForExecution(id)));
		expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
		return executions;
	}

	/** Starts the example from its schedule and gives its exports: one of each type, with each of its records once. */
	async function exportAll(): Promise<Execution[]> {
		const { client } = part.cluster;
		const executions = await exportsOf(objectTypeNames.length, async () => {
			const parent = await client.runWorkflow(example.id, 'Every night at 02:00');
			expect(parent.error?.message).toBeUndefined();
			return [parent.id];
		});
		expect(executions.map(typeOf).toSorted()).toEqual([...objectTypeNames].toSorted());
		for (const execution of executions) {
			const ids = await exportedIds(client, execution, nodeName);
			expect(ids.toSorted()).toEqual(idsHeld(part.sandbox, typeOf(execution)).toSorted());
		}
		return executions;
	}

	test('every object type is exported at once, by both workers', async () => {
		const workers = new Set<boolean>();
		// Four exports may all come to one worker by chance.
		for (let round = 0; round < 5 && workers.size < 2; round++) {
			const executions = await exportAll();
			const { 'worker-1': first } = await part.cluster.startedBy();
			for (const { id } of executions) workers.add(first.includes(id));
		}
		expect(workers.size).toBe(2);
	});

	// What makes two workers faster is a condition. How much faster is printed: it depends on what else the machine does.
	test('of many exports, two workers run 1.6 times as many at once as one', async () => {
		const { cluster, sandbox } = part;
		sandbox.setLatency(1_000);
		const runMany = async () => {
			const started = performance.now();
			const executions = await exportsOf(manyExports, async () => {
				const calls = Array.from({ length: manyExports }, async (_none, place) => {
					const body = { object_type: objectTypeNames[place % 4] };
					const { status } = await postJson(`${cluster.url}/webhook/export-object-type`, body);
					expect(status).toBe(200);
				});
				await Promise.all(calls);
				return [];
			});
			const seconds = ((performance.now() - started) / 1_000).toFixed(1);
			return { seconds, atOnce: mostAtOnce(executions) };
		};
		const two = await runMany();
		await cluster.killWorker('worker-2');
		const one = await runMany();
		await cluster.startWorker('worker-2');
		console.log(
			`  ${manyExports} exports of ${recordsOfEach} records at 1 s: ${one.seconds} s with one worker, ${two.seconds} s with two; ${one.atOnce} and ${two.atOnce} of them at once`,
		);
		expect(two.atOnce).toBeGreaterThanOrEqual(1.6 * one.atOnce);
	});
}
