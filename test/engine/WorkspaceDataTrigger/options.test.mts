import { describe, expect, it, vi } from 'vitest';
import { hurry } from '../harness/clock.mts';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf, startedTrigger } from '../harness/trigger-poller.mts';

const COMPANIES = 400;
const bench = useSandbox({
	companies: COMPANIES,
	orders: 3,
	quirks: { furtherParameters: ['status', 'limit_to'] },
});

const trigger = companyTrigger(bench);
const started = startedTrigger(bench);
const bodies = (): unknown[] =>
	bench.sandbox.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
const additional = (value: string) => ({
	additionalParameters: { values: [{ name: 'status', value }] },
});

it('uses Page Size for Fetch Test Event, and accepts Object Type from the list, by name, or as text', async () => {
	for (const objectType of [
		{ __rl: true, mode: 'list', value: 'order', cachedResultName: 'Order' },
		{ __rl: true, mode: 'name', value: 'order' },
		'order',
		'={{ "ord" + "er" }}',
	]) {
		bench.sandbox.clearRequests();
		const poller = await trigger({
			objectType,
			options: { pagination: { values: { pageSize: 30 } } },
		});
		expect((await poller.poll({ mode: 'manual' })).items).toHaveLength(3);
		expect(bodies()[0]).toMatchObject({ object_type: 'order', limit: 30 });
	}
});

it('sends Filters in every request, and continues by date after the user changes Filters', async () => {
	const poller = await started({
		options: { ...additional('open'), pagination: { values: { pageSize: 100 } } },
	});
	expect(bodies().length, 'bodies').toBeGreaterThan(3);
	for (const body of bodies()) expect(body).toMatchObject({ status: 'open' });

	const other = poller.edited({ parameters: { options: additional('closed') } });
	const { logs } = await other.poll();
	expect(messagesOf(logs)).toMatch(/Continued from .* UTC .*'Filters' have changed/);
});

it('ends a poll without an error if Requests per Minute delays it too long, and continues in the next poll', async () => {
	const options = {
		maxRecordsPerPoll: 900,
		pagination: { values: { pageSize: 150 } },
		requests: { values: { maxRequestsPerMinute: 6 } },
	};
	const poller = await trigger({ startFrom: 'beginning', options });
	hurry();
	const ids = new Set<string>();
	// Allow at most 20 polls. Several requests fit into each poll, even on a slow machine.
	for (let poll = 0; poll < 20 && ids.size < COMPANIES; poll++)
		for (const id of idsOf((await poller.poll()).items)) ids.add(id);
	expect(ids.size).toBe(COMPANIES);

	// Use the real clock from here on, so that less than a minute passes between the polls.
	vi.restoreAllMocks();
	const one = await trigger({
		options: { ...options, requests: { values: { maxRequestsPerMinute: 1 } } },
	});
	const { items, logs } = await one.poll({ budgetMs: 36_000 });
	expect(items).toBeNull();
	expect(messagesOf(logs)).toContain("it had to wait for 'Requests per Minute'");

	// A second trigger with the same key shares the limit, so it must not send a request in the same minute.
	bench.sandbox.clearRequests();
	const other = await trigger({ options: { requests: { values: { maxRequestsPerMinute: 1 } } } });
	expect((await other.poll({ budgetMs: 36_000 })).items).toBeNull();
	expect(bench.sandbox.requests).toHaveLength(0);
});

describe('time limits of requests', () => {
	it('advises to raise Timeout if the user has set it, but not if n8n limits the time of the poll', async () => {
		bench.sandbox.addFault({ times: Infinity, action: 'hang' });
		const hasty = await trigger({
			options: { requests: { values: { retryFor: 0, timeout: 300 } } },
		});
		await expect(hasty.poll()).rejects.toMatchObject({
			message: expect.stringContaining('did not answer within 0.3 seconds'),
			description: expect.stringContaining("Raise 'Timeout' in the options"),
		});
		const patient = await trigger({ options: { requests: { values: { retryFor: 0 } } } });
		await expect(patient.poll({ budgetMs: 2_000 })).rejects.toMatchObject({
			description: expect.not.stringContaining("Raise 'Timeout'"),
		});
	});

	it.each(['trigger', 'manual'] as const)(
		'gives up a throttled first poll after half a minute at most, because a user waits for it (mode: %s)',
		async (mode) => {
			bench.sandbox.addFault({ times: Infinity, status: 429, headers: { 'retry-after': '20' } });
			const poller = await trigger();
			await expect(poller.poll({ mode })).rejects.toThrow('too many requests');
			// Before the poll fails, the node also tries a smaller page size, which the service may accept.
			expect(bench.sandbox.requests.length).toBeLessThanOrEqual(4);
		},
	);
});
