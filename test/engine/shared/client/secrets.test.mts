/**
 * Checks that the key shows nowhere in the package's own texts (errors, error items, hints and logs) if the service
 * repeats it in every field of every kind of response. Records and results are data, which the node returns unchanged,
 * so they are not checked.
 */
import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import { billedCase, sampleCases } from '../../../samples.mts';
import { runNode, useSandbox } from '../../harness/support.mts';
import { companyTrigger, messagesOf } from '../../harness/trigger-poller.mts';
import { answersWith, expectClean, ownTexts, written } from './secret-answers.mts';

const bench = useSandbox({ companies: 20, orders: 20, items: 20, deals: 20 });

const { v2Full, v1AllScopes, workspaceCode } = sandboxCredentials;

const answers = answersWith([v2Full]);

const aList = sampleCases.find(({ gives }) => typeof gives === 'object')!;

describe.each([aList, billedCase])('$name shows no key that the service repeats', (sample) => {
	const { parameters } = sample;
	const path = sample.requests.v2?.path;
	const values = { pageSize: 5 };
	const options = { pagination: { values }, requests: { values: { retryFor: 0 } } };

	test.each(answers)('hides the key in the response: %s', async (_name, fault) => {
		for (const skip of sample === aList ? [0, 1] : [0]) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				bench.sandbox.clearFaults();
				bench.sandbox.addFault({ path, ...fault, skip, times: Infinity });
				const run = await runNode({
					parameters: { ...parameters, options },
					credential: bench.v2(),
					onError,
				});
				const failed = run.outputs.flat().filter(({ json }) => 'error' in json);
				// A malformed page is an error of a list, but a call's result may have any shape.
				if (sample === aList) expect(run.error ?? failed[0]).toBeDefined();
				expectClean(written(run));
			}
		}
	});
});

describe('a v1 credential', () => {
	const secrets = [v1AllScopes, workspaceCode];

	test.each(answersWith(secrets))(
		'shows neither token nor workspace code in the response: %s',
		async (_name, fault) => {
			const { parameters, requests } = billedCase;
			const path = requests.v1?.path;
			bench.sandbox.addFault({ path, ...fault });
			const run = await runNode({
				parameters: { ...parameters, options: { requests: { values: { retryFor: 0 } } } },
				credential: bench.v1(v1AllScopes, workspaceCode),
			});
			const paths = new Set(bench.sandbox.requests.map(({ path }) => path));
			expect([...paths]).toEqual([path]);
			expectClean(written(run), secrets);
		},
	);
});

const saysThatItFailed = (ended: { error?: unknown; logs?: Array<{ message: string }> }): boolean =>
	ended.error !== undefined || messagesOf(ended.logs ?? []).includes('a request failed');

describe('the trigger shows no key that the service repeats', () => {
	const once = { startFrom: 'beginning', options: { pagination: { values: { pageSize: 5 } } } };

	test.each(answers)('hides the key in the response: %s', async (_name, fault) => {
		for (const skip of [0, 1, 2]) {
			for (const mode of ['trigger', 'manual'] as const) {
				bench.sandbox.clearFaults();
				const headers = { 'retry-after': '600', ...fault.headers };
				bench.sandbox.addFault({ ...fault, headers, skip, times: Infinity });
				const poller = await companyTrigger(bench)(once);
				const ended = await poller.poll({ mode, budgetMs: 1_000 }).then(
					({ logs }) => ({ logs }),
					(error: unknown) => ({ error, ...ownTexts(error) }),
				);
				// A poll that stops after its first page keeps its records, and logs the failure.
				if (skip === 0) expect(ended).toSatisfy(saysThatItFailed);
				expectClean(ended);
			}
		}
	});

	test.each([
		{ objectType: v2Full },
		{ startFrom: 'date', startDate: v2Full },
		{ options: { pagination: { values: { pageSize: v2Full } } } },
		{ options: { startOver: v2Full, additionalParameters: { values: [{ name: v2Full }] } } },
	])('hides the key where a user entered it: %#', async (parameters) => {
		bench.sandbox.addFault({ status: 404, times: 9 });
		const poller = await companyTrigger(bench)({ ...once, ...parameters });
		const error: unknown = await poller.poll({ budgetMs: 100 }).catch((found) => found);
		expectClean(ownTexts(error));
		expect(error).toBeInstanceOf(Error);
	});
});
