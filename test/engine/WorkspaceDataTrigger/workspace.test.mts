/** The trigger asks whose key it polls with. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sandboxCredentials, startSandbox } from '../../sandbox/server.mts';
import { useSandbox, type Sandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 10 });
const trigger = companyTrigger(bench);
const path = '/v2/public/auth/whoami';

it('a credential whose key belongs to another workspace now starts over, says so, and asks once whose key it is', async () => {
	const before = await trigger({ objectType: 'deal', startFrom: 'beginning' });
	expect(await before.drain()).toHaveLength(10);
	const other = bench.v2(sandboxCredentials.v2OtherWorkspace);
	const after = await trigger({ objectType: 'deal', startFrom: 'beginning' }, 'memory', other);
	after.stored = before.stored;
	bench.sandbox.clearRequests();
	const { items, logs } = await after.poll();
	expect(messagesOf(logs.filter(({ level }) => level === 'warn'))).toContain(
		'belongs to another workspace',
	);
	const expected = [...bench.sandbox.otherWorkspace.records('deal')].map(({ id }) => String(id));
	expect(idsOf(items).toSorted()).toEqual(expected.toSorted());
	expect((await after.poll()).items).toBeNull();
	const asked = bench.sandbox.requests.filter((request) => request.path === path);
	expect(asked.length, 'asked').toBeLessThanOrEqual(1);
	for (const secret of Object.values(sandboxCredentials)) {
		expect(JSON.stringify([after.stored, logs])).not.toContain(secret);
	}
});

describe('a whoami that gives no answer', () => {
	const nested = '{"a":'.repeat(5_000) + '{}' + '}'.repeat(5_000);
	let own: Sandbox;
	/** What was learnt of a key is remembered by the process, so each test has an address of its own. */
	beforeEach(async () => {
		own = await startSandbox({ companies: 0, orders: 0, items: 0, deals: 10 });
	});
	afterEach(async () => await own.stop());
	const ownTrigger = async () =>
		await trigger({ objectType: 'deal' }, 'memory', { ...bench.v2(), baseUrl: own.url });

	it('lets the poll fail and changes nothing', async () => {
		const poller = await ownTrigger();
		for (const status of [401, 403, 500]) {
			own.addFault({ path, status, times: Infinity });
			await expect(poller.poll({ budgetMs: 2_000 })).rejects.toMatchObject({
				httpCode: String(status),
			});
			own.clearFaults();
			expect(poller.stored).toEqual({});
		}
	});

	it.each([
		['does not know it', { status: 404, times: 1 }, 0],
		['says that it failed', { body: { success: false }, times: 1 }, 0],
		['leads elsewhere', { status: 302, headers: { location: 'https://a.example/' }, times: 1 }, 1],
		['answers with a web page', { status: 200, body: '<html></html>', times: 5 }, 1],
		['answers with objects in objects without end', { status: 200, body: nested, times: 1 }, 0],
	])('is done without where the service %s: the credential counts', async (_name, fault, again) => {
		vi.spyOn(Math, 'random').mockReturnValue(0.01);
		const poller = await ownTrigger();
		own.addFault({ path, ...fault });
		await poller.poll();
		expect(poller.stored).toMatchObject({
			workspaceData: { owner: { workspace: null, credential: 'credential-under-test' } },
		});
		own.clearRequests();
		for (let polls = 0; polls < 2; polls++) expect((await poller.poll()).items).toBeNull();
		// What was no answer of whoami is asked for again, until it is one.
		expect(own.requests.filter((request) => request.path === path)).toHaveLength(again);
	});
});
