import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { waitUntil } from './poll.mts';
import { companiesNamed } from './service.mts';
import { chain, companiesNode, enrichNode, items, manualTrigger, startName } from './workflows.mts';

/** How long the log is watched after "Stop"; a retry after a normal backoff would be seen. */
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

// How many requests come before the stop, and how many may be under way at once.
test.each([
	['a list asks for no further page', list, 5, 1, undefined],
	['calls that are not sent never are', calls, 10, 5, undefined],
	['a list in the middle of a Retry-After wait of a minute does not ask again', list, 4, 1, '60'],
	['calls in the middle of a Retry-After wait of a minute are not sent again', calls, 4, 5, '60'],
])('after Stop, %s', async (_name, { id }, before, atOnce, retryAfter) => {
	const { sandbox, client } = lab;
	if (retryAfter !== undefined) {
		const headers = { 'retry-after': retryAfter };
		sandbox.addFault({ skip: 3, times: Infinity, status: 429, headers });
	}
	const executionId = await client.startWorkflow(id, startName);
	await waitUntil('requests', () => sandbox.requests.length >= before, 60_000);
	// In a Retry-After wait nothing is under way: give the answer the time to arrive.
	await wait(300);
	await client.request('POST', `/executions/${executionId}/stop`);
	const stoppedAt = sandbox.requests.length;
	const execution = await client.waitForExecution(executionId);
	await wait(watchedMs);

	expect(execution.status).toBe('canceled');
	const after = sandbox.requests.length - stoppedAt;
	expect(after, 'requests after Stop').toBeLessThanOrEqual(atOnce);
	expect(stoppedAt, 'requests before Stop').toBeLessThan(300);
});
