import { expect, test } from 'vitest';
import type { ExampleLab } from './examples-lab.mts';
import { itemsOf } from './rest.mts';

/** The example that enriches what has changed, run as "Execute workflow" does: with the records of "Fetch Test Event". */
export function testTriggerExample(example: () => ExampleLab): void {
	test('keeps an enriched row for each company, and pays for none twice', async () => {
		const { lab, examples } = example();
		const trigger = 'When a company changes';
		const run = async () => await lab.succeed(examples['changed-companies-to-enrich'], trigger);
		const first = await run();
		const ids = itemsOf(first, trigger).map(({ json }) => json.id);
		expect(ids.length).toBeGreaterThan(0);
		const rows = itemsOf(first, 'Write its row').map(({ json }) => json);
		expect(rows.map(({ company_id }) => company_id).toSorted()).toEqual(ids.toSorted());
		for (const { enrichment } of rows) {
			expect(JSON.parse(String(enrichment))).toHaveProperty('enriched_at');
		}
		expect(lab.sandbox.calls.enrich).toHaveLength(ids.length);

		await run();
		expect(lab.sandbox.calls.enrich).toHaveLength(ids.length);
	});
}
