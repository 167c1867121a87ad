/** The end of a list (docs/assumptions.md, A3) in n8n's engine; test/unit/lists has all of its cases. */
import { describe, expect, test } from 'vitest';

import { idsOf, jsonOf, useSandbox, type NodeRun } from '../../harness/support.mts';
import { filesOf, idOf, linesOf } from '../export/reading.mts';

const ORDERS = 700;
const bench = useSandbox({ orders: ORDERS });
const keepOn = { onError: 'continueRegularOutput' } as const;

const orders = { resource: 'order', operation: 'getAll' };
const ways = [
	{ ...orders, outputAs: 'items' },
	{ resource: 'record', operation: 'query', objectType: 'order', outputAs: 'ndjson' },
] as const;

async function idsIn(run: NodeRun, { outputAs }: (typeof ways)[number]): Promise<string[]> {
	return outputAs === 'items' ? idsOf(run) : linesOf(await filesOf(run)).map(idOf);
}

describe.each(ways)('read as $outputAs', (way) => {
	const all = (options = {}) => ({ ...way, returnAll: true, options });

	test.each([
		[{ rowCap: 250 }, {}],
		[{ rowCap: 101, total: 'absent' as const }, {}],
		[{ silentPageCap: 250, cursorsCountPages: 'ofLimit' as const }, {}],
		[{ total: { factor: 1.1 } }, { ignoreTotal: true }],
	])('each record comes once, %j', async (unkind, options) => {
		bench.sandbox.setUnkind(unkind);
		const ids = await idsIn(await bench.succeed(all(options)), way);
		expect([ids.length, new Set(ids).size]).toEqual([ORDERS, ORDERS]);
	});

	test('a list that ends early is an error that counts, keeps what came, and names the Page Size that helps', async () => {
		bench.sandbox.setUnkind({ rowCap: 50 });
		const message = `The list ended early: 50 of ${ORDERS} records came`;
		const stopped = await bench.run(all());
		expect(stopped.error).toMatchObject({ message });
		expect(stopped.error?.description).toContain('Ignore Total');

		const run = await bench.run(all(), keepOn);
		const failed = run.outputs[0]?.pop()?.json;
		expect(failed).toMatchObject({ error: message, details: { recordsRead: 50, total: ORDERS } });
		expect(await idsIn(run, way)).toHaveLength(50);
		for (const { isLast } of jsonOf(run)) expect(isLast ?? false).toBe(false);

		const pageSize = Number(/'Page Size' to (\d+):/.exec(String(failed?.message))?.[1]);
		expect(await idsIn(await bench.succeed(all({ pageSize })), way)).toHaveLength(ORDERS);
	});
});
