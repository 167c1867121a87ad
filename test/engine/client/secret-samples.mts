import { expect, test } from 'vitest';
import type { sampleCases } from '../../samples.mts';
import { sandboxCredentials } from '../../sandbox/server.mts';
import { runNode, type Bench } from '../harness/support.mts';
import { answersWith, expectClean, failuresOf, written } from './secret-answers.mts';

/** Tests that an operation shows no key in any kind of answer that repeats it. */
export function testAnswers(bench: Bench, sample: (typeof sampleCases)[number]): void {
	const { parameters } = sample;
	const path = sample.requests.v2?.path;
	const isList = typeof sample.gives === 'object';
	const options = { ...(parameters.options as object), maxRetries: 0, maxWait: 0 };

	test.each(answersWith([sandboxCredentials.v2Full]))('in %s', async (_name, fault) => {
		for (const skip of isList ? [0, 1] : [0]) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				bench.sandbox.clearFaults();
				bench.sandbox.addFault({ path, ...fault, skip, times: Infinity });
				const run = await runNode({
					parameters: { ...parameters, options: { ...options, pageSize: 5 } },
					credential: bench.v2(),
					onError,
				});
				// What is no page is an error of a list; a result may be anything.
				if (isList) expect(failuresOf(run)).toBe(1);
				expectClean(written(run));
			}
		}
	});
}
