/** What a run has sent that may be billed is written on the execution. */
import { expect, test } from 'vitest';
import { companiesNamed } from '../../../n8n/service.mts';
import { useSandbox, type NodeRun, type RunOptions } from '../../harness/support.mts';

const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 5 });
const path = '/v2/enrich';
const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };
const onError = 'continueRegularOutput';

const run = async (options: object = {}, more: Partial<RunOptions> = {}): Promise<NodeRun> =>
	await bench.run({ ...enrich, options }, { items: companiesNamed('company', 5), ...more });
const noted = ({ run: { data } }: NodeRun) => data.resultData.metadata;

test('each call counts once, over all tries of Retry On Fail', async () => {
	bench.sandbox.addFault({ path, status: 500 });
	const retryOnFail = { maxTries: 3, waitBetweenTries: 1 };
	const result = await run({ maxConcurrent: 1 }, { retryOnFail, onError });
	expect(noted(result)).toEqual({ workspaceDataCalls: '5' });
});

test('also where an error ends the node', async () => {
	bench.sandbox.addFault({ path, skip: 2, status: 500 });
	const result = await run({ maxConcurrent: 1 });
	expect(result.status).toBe('error');
	expect(noted(result)).toEqual({ workspaceDataCalls: '3' });
});

test('what the service refused before any work counts for nothing', async () => {
	bench.sandbox.addFault({ path, status: 429, times: 5 });
	expect(noted(await run({ maxConcurrent: 1, maxWait: 0 }, { onError }))).toEqual({
		workspaceDataCalls: '0',
	});
});

test('nothing is written where no call is sent, or none can be billed', async () => {
	const whoAmI = { resource: 'workspace', operation: 'whoAmI' };
	for (const result of [await run({ previewOnly: true }), await bench.run(whoAmI)]) {
		expect(result.status).toBe('success');
		expect(noted(result)).toBeUndefined();
	}
});
