import { expect, test } from 'vitest';
import { idsHeld } from '../../../n8n/service.mts';
import { filesOf, idOf, linesOf } from '../export/reading.mts';
import { useSandbox, type NodeRun } from '../../harness/support.mts';

const records = 40_000;
const pageSize = 1_000;
const bench = useSandbox({ companies: records });

const changes = {
	resource: 'sync',
	operation: 'getChanges',
	outputAs: 'ndjson',
	progress: 'given',
	options: { recordsPerFile: 15_000, overlapSeconds: 0, pagination: { values: { pageSize } } },
};

const idsOf = async (run: NodeRun) => linesOf(await filesOf(run)).map(idOf);

test('returns each of 40,000 records once with about one request per page, and 400 later changes with few requests', async () => {
	const first = await bench.succeed(changes);
	const files = (first.outputs[0] ?? []).map(({ json }) => json);
	expect(files.map((file) => file.records)).toEqual([15_000, 15_000, 10_000]);
	expect(new Set(await idsOf(first)).size).toBe(records);
	// The node sends one whoami request, and one request per page.
	expect(bench.sandbox.requests.length, 'requests').toBeLessThanOrEqual(records / pageSize + 2);
	for (const { checkpoint } of files)
		expect(String(checkpoint).length, 'characters of a checkpoint').toBeLessThan(64 * 1024);
	const most = { ...changes.options, maxRecords: 12_000 };
	expect(await idsOf(await bench.succeed({ ...changes, options: most }))).toHaveLength(12_000);

	const changed = idsHeld(bench.sandbox).filter((_id, place) => place % 100 === 7);
	bench.sandbox.update('company', changed);
	bench.sandbox.clearRequests();
	const second = await bench.succeed({ ...changes, checkpoint: files.at(-1)?.checkpoint });
	expect((await idsOf(second)).toSorted()).toEqual(changed.toSorted());
	// The checkpoint of the first run remembers up to 2,000 records, which the second run reads again.
	expect(bench.sandbox.requests.length, 'requests').toBeLessThanOrEqual(
		(2_000 + changed.length) / pageSize + 2,
	);
});
