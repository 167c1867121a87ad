import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { chain, dataNode, items, manualTrigger, startName } from './workflows.mts';

/** How soon after "Stop" the last request must have been sent. */
const graceMs = 1_000;
/** How long the log is watched after that; a retry after a normal backoff would be seen. */
const watchedMs = 3_000;

const exporting = chain('Cancelled list', [
	manualTrigger(),
	dataNode({
		resource: 'company',
		operation: 'getAll',
		returnAll: true,
		options: { pageSize: 10 },
	}),
]);
const enriching = chain('Cancelled calls', [
	manualTrigger(),
	items(Array.from({ length: 300 }, (_, number) => ({ domain: `company-${number}.example` }))),
	dataNode({
		resource: 'company',
		operation: 'enrich',
		dataToSend: 'autoMapInputData',
		options: { maxConcurrent: 5 },
	}),
]);

const lab = useLab({
	name: 'cancel',
	sandbox: { companies: 5_000 },
	workflows: () => [exporting, enriching],
});

beforeEach(() => lab.sandbox.setLatency(200));

/** Starts a workflow, presses "Stop" once so many requests have arrived, and gives the time of the stop. */
async function startAndStop(workflowId: string, requestsBefore: number) {
	const executionId = await lab.client.startWorkflow(workflowId, startName);
	while (lab.sandbox.requests.length < requestsBefore) await wait(20);
	// In a Retry-After wait nothing is under way: give the answer the time to arrive.
	await wait(300);
	const stoppedAt = Date.now();
	await lab.client.request('POST', `/executions/${executionId}/stop`);
	const execution = await lab.client.waitForExecution(executionId);
	await wait(watchedMs);
	return { stoppedAt, execution };
}

/** Milliseconds from the stop to the last request; negative when it was sent before. */
function lastRequestAfter(stoppedAt: number): number {
	return (lab.sandbox.requests.at(-1)?.at ?? 0) - stoppedAt;
}

test('a list stops reading within a second', async () => {
	const { stoppedAt, execution } = await startAndStop(exporting.id, 5);

	expect(execution.status).toBe('canceled');
	expect(lastRequestAfter(stoppedAt)).toBeLessThan(graceMs);
	expect(lab.sandbox.requests.length).toBeLessThan(20);
});

test('calls stop within a second, and those not sent never are', async () => {
	const { stoppedAt, execution } = await startAndStop(enriching.id, 10);

	expect(execution.status).toBe('canceled');
	expect(lastRequestAfter(stoppedAt)).toBeLessThan(graceMs);
	expect(lab.sandbox.requests.length).toBeLessThan(60);
});

test.each([
	['a list', exporting],
	['calls', enriching],
])('%s in the middle of a Retry-After wait of a minute ends at once', async (_name, workflow) => {
	lab.sandbox.addFault({ skip: 3, times: Infinity, status: 429, headers: { 'retry-after': '60' } });
	const { stoppedAt, execution } = await startAndStop(workflow.id, 4);

	expect(execution.status).toBe('canceled');
	expect(execution.seconds).toBeLessThan(15);
	expect(lastRequestAfter(stoppedAt)).toBeLessThan(graceMs);
});

test('the server is none the worse: the next execution works', async () => {
	lab.sandbox.setLatency(0);
	const execution = await lab.run(enriching);
	expect(execution.status, execution.error?.message).toBe('success');
	expect(lab.sandbox.calls.enrich).toHaveLength(300);
});
