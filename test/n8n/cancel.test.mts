import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { waitUntil } from './poll.mts';
import { companiesNamed } from './service.mts';
import { chain, companiesNode, enrichNode, items, manualTrigger, startName } from './workflows.mts';

/** How soon after "Stop" the last request must have been sent. */
const graceMs = 1_000;
/** How long the log is watched after that; a retry after a normal backoff would be seen. */
const watchedMs = 3_000;

const list = chain('Cancelled list', [manualTrigger(), companiesNode({ pageSize: 10 })]);
const calls = chain('Cancelled calls', [
	manualTrigger(),
	items(companiesNamed('company', 300)),
	enrichNode({ maxConcurrent: 5 }),
]);

const lab = useLab({
	name: 'cancel',
	sandbox: { companies: 5_000 },
	workflows: () => [list, calls],
});

beforeEach(() => lab.sandbox.setLatency(200));

// How many requests come before the stop, and how many there are at most.
test.each([
	['a list stops reading within a second', list, 5, 20, undefined],
	['calls stop within a second, and those not sent never are', calls, 10, 60, undefined],
	['a list in the middle of a Retry-After wait of a minute ends at once', list, 4, 20, '60'],
	['calls in the middle of a Retry-After wait of a minute end at once', calls, 4, 60, '60'],
])('%s', async (_name, { id }, before, most, retryAfter) => {
	const { sandbox, client } = lab;
	if (retryAfter !== undefined) {
		const headers = { 'retry-after': retryAfter };
		sandbox.addFault({ skip: 3, times: Infinity, status: 429, headers });
	}
	const executionId = await client.startWorkflow(id, startName);
	await waitUntil('requests', () => sandbox.requests.length >= before, 60_000);
	// In a Retry-After wait nothing is under way: give the answer the time to arrive.
	await wait(300);
	const stoppedAt = Date.now();
	await client.request('POST', `/executions/${executionId}/stop`);
	const execution = await client.waitForExecution(executionId);
	await wait(watchedMs);

	expect(execution.status).toBe('canceled');
	expect(execution.seconds).toBeLessThan(15);
	expect((sandbox.requests.at(-1)?.at ?? 0) - stoppedAt).toBeLessThan(graceMs);
	expect(sandbox.requests.length).toBeLessThan(most);
});
