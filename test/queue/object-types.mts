import { beforeEach, expect, test } from 'vitest';
import { readExamples, type WorkflowFile } from '../n8n/imports.mts';
import { itemsOf, type Execution } from '../n8n/rest.mts';
import { idsHeld } from '../n8n/service.mts';
import { objectTypeNames, type ObjectType } from '../sandbox/object-types.mts';
import type { Cluster } from './cluster.mts';
import { executionsSince, exportedIds } from './executions.mts';
import { usePart } from './part.mts';

const recordsOfEach = 2_003;
const nodeName = 'Read all its records';

/** Returns the object type of an exported file, read from the file's name. */
function typeOf(execution: Execution): ObjectType {
	const name = itemsOf(execution, nodeName)[0]?.binary?.data?.fileName ?? '';
	return name.slice(0, name.indexOf('-')) as ObjectType;
}

/** Tests the example export-every-object-type, which exports all object types in parallel on both workers. */
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

	/**
	 * Runs the example, and checks that it exports each record of each object type once. Returns one execution for each
	 * object type.
	 */
	async function exportAll(): Promise<Execution[]> {
		const { client } = part;
		const before = await client.listExecutions(example.id);
		const parent = await part.succeed(example, 'Every night at 02:00');
		const known = [...before, parent.id];
		const ids = await executionsSince(client, example.id, known, objectTypeNames.length);
		expect(ids).toHaveLength(objectTypeNames.length);
		const executions = await Promise.all(ids.map(async (id) => await client.waitForExecution(id)));
		expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
		expect(executions.map(typeOf).toSorted()).toEqual([...objectTypeNames].toSorted());
		for (const execution of executions) {
			const ids = await exportedIds(client, execution, nodeName);
			expect(ids.toSorted()).toEqual(idsHeld(part.sandbox, typeOf(execution)).toSorted());
		}
		return executions;
	}

	test('exports all object types in parallel on both workers', async () => {
		const workers = new Set<boolean>();
		// Try up to five times, because one worker can get all four exports by chance.
		for (let round = 0; round < 5 && workers.size < 2; round++) {
			const executions = await exportAll();
			const { 'worker-1': first } = await running().startedBy();
			for (const { id } of executions) workers.add(first.includes(id));
		}
		expect(workers.size).toBe(2);
	});
}
