/**
 * Checks that errors, error items, hints and logs never show the API key, even if the service repeats the key in every
 * field of a response. Records and results are not checked, because the node returns them unchanged.
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

describe.each([aList, billedCase])('$name with responses that repeat the API key', (sample) => {
	const { parameters } = sample;
	const path = sample.requests.v2?.path;
	const values = { pageSize: 5 };
	const options = { pagination: { values }, requests: { values: { retryFor: 0 } } };

	test.each(answers)('hides an API key that the response repeats: %s', async (_name, fault) => {
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
				// A list must fail for a malformed page. A call can succeed, because its result can have any shape.
				if (sample === aList) expect(run.error ?? failed[0]).toBeDefined();
				expectClean(written(run));
			}
		}
	});
});

describe('a v1 credential with responses that repeat its secrets', () => {
	const secrets = [v1AllScopes, workspaceCode];

	test.each(answersWith(secrets))(
		'hides the access token and the workspace code that the response repeats: %s',
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

describe('the trigger with responses that repeat the API key', () => {
	const once = { startFrom: 'beginning', options: { pagination: { values: { pageSize: 5 } } } };

	test.each(answers)('hides an API key in responses to the trigger: %s', async (_name, fault) => {
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
				// If only a later request fails, the poll can return the records read before, so it does not have to
				// fail.
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
	])('hides an API key that the user entered as a parameter (case %#)', async (parameters) => {
		bench.sandbox.addFault({ status: 404, times: 9 });
		const poller = await companyTrigger(bench)({ ...once, ...parameters });
		const error: unknown = await poller.poll({ budgetMs: 100 }).catch((found) => found);
		expectClean(ownTexts(error));
		expect(error).toBeInstanceOf(Error);
	});
});
