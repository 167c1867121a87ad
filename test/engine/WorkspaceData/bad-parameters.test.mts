import { describe, expect, test } from 'vitest';
import { oneCasePerOperation } from '../../samples.mts';
import { useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 10 });

describe('every operation', () => {
	test.each(oneCasePerOperation)('$title refuses options that cannot be', async (sample) => {
		for (const options of [{ maxRetries: -1 }, { maxRetries: 1.5 }, { timeout: 0 }]) {
			const run = await bench.run({ ...sample.parameters, options });
			expect(run.error?.message).toMatch(/^(Max Retries|Timeout) must be a whole number/);
			expect(run.error?.context).toMatchObject({ itemIndex: 0 });
		}
		expect(bench.sandbox.requests).toHaveLength(0);
	});

	test.each(oneCasePerOperation)('$title with nothing entered', async ({ chosen, bare }) => {
		const run = await bench.run(chosen);
		if (bare === undefined) expect(run.error).toBeUndefined();
		else expect(run.error?.message).toMatch(bare);
		expect(bench.sandbox.requests).toHaveLength(bare === undefined ? 1 : 0);
	});
});
