/** The trigger asks whose key it polls with. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sandboxCredentials, startSandbox } from '../../sandbox/server.mts';
import { useSandbox, type Sandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 10 });
const trigger = companyTrigger(bench);
const path = '/v2/public/auth/whoami';

it('the key of another workspace is an error that stores nothing, and Start Over follows that one', async () => {
	const deals = { objectType: 'deal', startFrom: 'beginning' };
	const first = await trigger(deals);
	expect(await first.drain()).toHaveLength(10);
	const { stored } = first;
	const other = bench.v2(sandboxCredentials.v2OtherWorkspace);
	const after = await trigger(deals, 'memory', other);
	after.stored = stored;
	for (let polls = 0; polls < 2; polls++) {
		const error: unknown = await after.poll().catch((thrown: unknown) => thrown);
		// The other key has "workspace" in it, so that word is hidden.
		expect(String(error)).toMatch(/belongs to the .* "wsp_0+1", and the key to "wsp_0+2"$/);
		expect(error).toMatchObject({ description: expect.stringContaining('Start Over') });
	}
	expect(after.stored).toEqual(stored);

	const anew = await trigger({ ...deals, options: { startOver: 'for it' } }, 'memory', other);
	anew.stored = stored;
	const expected = [...bench.sandbox.otherWorkspace.records('deal')].map(({ id }) => String(id));
	const { items, logs } = await anew.poll();
	expect(idsOf(items).toSorted()).toEqual(expected.toSorted());
	expect(messagesOf(logs)).toContain("'Start Over' has a new text");
	for (const secret of Object.values(sandboxCredentials)) {
		expect(JSON.stringify([anew.stored, logs])).not.toContain(secret);
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
			workspaceData: { owner: { workspace: null, access: expect.any(String), label: null } },
		});
		own.clearRequests();
		for (let polls = 0; polls < 2; polls++) expect((await poller.poll()).items).toBeNull();
		// What was no answer of whoami is asked for again, until it is one.
		expect(own.requests.filter((request) => request.path === path)).toHaveLength(again);
	});
});
