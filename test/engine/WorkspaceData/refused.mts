import { expect, test } from 'vitest';
import type { Bench } from '../harness/support.mts';

/** What is wrong, the parameters, and what the message and the description must name. */
export type Refused = [string, Record<string, unknown>, RegExp, RegExp];

/** Tests that each is refused before any request. */
export function testRefused(bench: Bench, cases: Refused[]): void {
	test.each(cases)('%s', async (_name, parameters, message, description) => {
		const run = await bench.run(parameters);
		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(message);
		expect(run.error?.description).toMatch(description);
		expect(run.error?.context).toMatchObject({ itemIndex: 0 });
		expect(bench.sandbox.requests).toHaveLength(0);
	});
}
