import { expect, test } from 'vitest';
import { idsHeld } from '../../../n8n/service.mts';
import { idOf } from '../export/reading.mts';
import { useSandbox, type NodeRun } from '../../harness/support.mts';

const records = 40_000;
const pageSize = 1_000;
const bench = useSandbox({ companies: records });

const changes = {
	resource: 'sync',
	operation: 'getChanges',
	outputAs: 'ndjson',
	progress: 'given',
	options: { pageSize, recordsPerFile: 15_000, overlapSeconds: 0 },
};

async function idsOf(run: NodeRun): Promise<string[]> {
	expect(run.error).toBeUndefined();
	const ids: string[] = [];
	for (const item of run.outputs[0] ?? []) {
		const lines = (await run.binary(item)).toString().split('\n').slice(0, -1);
		expect(lines).toHaveLength(Number(item.json.records));
		for (const line of lines) ids.push(idOf(line));
	}
	return ids;
}

test('40,000 records once each, hardly a page twice; then 400 changes in as many requests as they need', async () => {
	const first = await bench.run(changes);
	const files = (first.outputs[0] ?? []).map(({ json }) => json);
	expect(files.map((file) => file.records)).toEqual([15_000, 15_000, 10_000]);
	expect(new Set(await idsOf(first)).size).toBe(records);
	// Whoami, and the pages.
	expect(bench.sandbox.requests.length).toBeLessThanOrEqual(records / pageSize + 2);
	for (const { checkpoint } of files) expect(String(checkpoint).length).toBeLessThan(64 * 1024);

	const changed = idsHeld(bench.sandbox).filter((_id, place) => place % 100 === 7);
	bench.sandbox.update('company', changed);
	bench.sandbox.clearRequests();
	const second = await bench.run({ ...changes, checkpoint: files.at(-1)?.checkpoint });
	expect((await idsOf(second)).toSorted()).toEqual(changed.toSorted());
	// The first run did not know which dates are old, so up to 2,000 records are read again.
	expect(bench.sandbox.requests.length).toBeLessThanOrEqual(
		(2_000 + changed.length) / pageSize + 2,
	);
}, 120_000);
