/** The trigger against services that keep to the specification and no further. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sandboxCredentials, startSandbox } from '../../sandbox/server.mts';
import { useSandbox, type Sandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf, type Poller } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 1_000, orders: 3_900, items: 60, deals: 10 });
const trigger = companyTrigger(bench);

afterEach(() => bench.sandbox.setUnkind({}));

const idsOfType = (objectType: 'company' | 'order' | 'item' | 'deal'): string[] =>
	[...bench.sandbox.records(objectType)].map(({ id }) => String(id));

/** Ids lose their digits in the items that n8n carries; domains do not. */
const domainsOf = (items: ReadonlyArray<{ json: Record<string, unknown> }> | null): string[] =>
	(items ?? []).map(({ json }) => String(json.domain));

async function requestsOf(poller: Poller): Promise<number> {
	bench.sandbox.clearRequests();
	expect((await poller.poll()).items).toBeNull();
	return bench.sandbox.requests.length;
}

describe('a service that ignores the number of the page', () => {
	it('starts with changes once the list has been read to its end, and never with old records', async () => {
		bench.sandbox.setUnkind({ pageInQueryIgnored: true });
		const poller = await trigger();
		const first = await poller.poll();
		expect(first.items).toBeNull();
		expect(messagesOf(first.logs)).toContain('does not tell which records are the newest');
		expect(await poller.drain()).toEqual([]);
		const changed = idsOfType('company').slice(300, 320);
		bench.sandbox.update('company', changed);
		expect(idsOf((await poller.poll()).items)).toEqual(changed);
	});

	it('shows the oldest records as a test event', async () => {
		bench.sandbox.setUnkind({ pageInQueryIgnored: true });
		const { items } = await (await trigger()).poll({ mode: 'manual' });
		expect(items).toHaveLength(10);
	});
});

describe('a service with pages of other sizes than asked for', () => {
	it.each([
		{ silentPageCap: 50 },
		{ silentPageCap: 7 },
		{ extraRecords: 9 },
		{ silentPageCap: 60, extraRecords: 5 },
	])('delivers each change once and nothing old (%j)', async (unkind) => {
		bench.sandbox.setUnkind(unkind);
		const poller = await trigger();
		expect(await poller.drain()).toEqual([]);
		const changed = idsOfType('company').slice(100, 250);
		bench.sandbox.update('company', changed);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(changed.toSorted());
	});
});

describe('a service that leads back to a page that was read', () => {
	it('has nothing delivered again, and the next poll goes on', async () => {
		// Without numbered pages, the first poll does not know yet what is old enough to be left behind.
		bench.sandbox.setUnkind({ pageInQueryIgnored: true });
		const poller = await trigger({ options: { pageSize: 200 } });
		await poller.poll();
		poller.restart();
		bench.sandbox.addFault({
			transform: 'repeatCursor',
			path: '/v2/public/records/query',
			times: 2,
		});
		for (let polls = 0; polls < 3; polls++) {
			const polled = await poller.poll().catch(() => undefined);
			expect(polled?.items ?? null).toBeNull();
		}
		const changed = idsOfType('company').slice(0, 15);
		bench.sandbox.update('company', changed);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(changed.toSorted());
	});
});

describe('ids that are numbers beyond 2^53', () => {
	it('are told apart by all of their digits', async () => {
		bench.sandbox.setUnkind({ numericIds: true });
		const poller = await trigger();
		await poller.poll();
		await poller.drain();
		const changed = [...bench.sandbox.records('company')].slice(400, 450);
		bench.sandbox.update(
			'company',
			changed.map(({ id }) => String(id)),
		);
		const domains = domainsOf(await poller.drain());
		expect(domains.toSorted()).toEqual(changed.map(({ domain }) => String(domain)).toSorted());
	});
});

describe('records without a date', () => {
	it.each(['first', 'last'] as const)(
		'that stand %s leave every later change to arrive, once',
		async (place) => {
			bench.sandbox.setUnkind({ undated: { every: 10, place } });
			const poller = await trigger({ options: { pageSize: 20 } });
			expect(await poller.drain()).toEqual([]);
			for (let round = 0; round < 6; round++) {
				const changed = idsOfType('company').slice(round * 100, round * 100 + 7);
				bench.sandbox.update('company', changed);
				expect(idsOf((await poller.poll()).items).toSorted()).toEqual(changed.toSorted());
				poller.restart();
				expect((await poller.poll()).items).toBeNull();
			}
		},
	);

	it('are all delivered when the trigger starts from the beginning, more than can be remembered', async () => {
		bench.sandbox.setUnkind({ undated: { every: 1, place: 'last' } });
		const poller = await trigger({ objectType: 'order', startFrom: 'beginning' });
		const all = idsOfType('order');
		expect(idsOf(await poller.drain()).toSorted()).toEqual(all.toSorted());
		const changed = all.slice(2_000, 2_050);
		bench.sandbox.update('order', changed);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(changed.toSorted());
	});

	it('that are too many to be remembered are left out of quiet polls, and no change is lost', async () => {
		bench.sandbox.setUnkind({ undated: { every: 1, place: 'last' } });
		const poller = await trigger({ objectType: 'order', options: { pageSize: 200 } });
		const { items, logs } = await poller.poll();
		expect(items).toBeNull();
		expect(messagesOf(logs.filter(({ level }) => level === 'warn'))).toContain(
			'more records without a readable date',
		);
		expect(await poller.drain()).toEqual([]);
		// The window of 2,000 records and the page before the gap, not the whole list.
		expect(await requestsOf(poller)).toBeLessThanOrEqual(12);
		expect(JSON.stringify(poller.stored).length).toBeLessThan(64 * 1024);
		for (let round = 0; round < 6; round++) {
			const changed = idsOfType('order').slice(round * 300, round * 300 + 250);
			bench.sandbox.update('order', changed);
			poller.restart();
			expect(idsOf((await poller.poll()).items).toSorted()).toEqual(changed.toSorted());
			expect((await poller.poll()).items).toBeNull();
		}
	});

	it('do not come again when the service refuses the cursor behind them', async () => {
		bench.sandbox.setUnkind({ undated: { every: 1, place: 'last' } });
		const poller = await trigger({ objectType: 'order', options: { pageSize: 200 } });
		await poller.poll();
		expect(await poller.drain()).toEqual([]);
		await requestsOf(poller);
		const { gap } = poller.stored.workspaceData as { gap: { cursor: string } };
		const skip = bench.sandbox.requests.findIndex(
			({ body }) => (body as Record<string, unknown>).cursor === gap.cursor,
		);
		expect(skip).toBeGreaterThan(0);
		bench.sandbox.addFault({ path: '/v2/public/records/query', status: 410, skip });
		const changed = idsOfType('order').slice(0, 5);
		bench.sandbox.update('order', changed);
		const { items, logs } = await poller.poll();
		expect(idsOf(items)).toEqual(changed);
		expect(messagesOf(logs)).toContain('no longer accepts the stored cursor (HTTP 410)');
		expect(await poller.drain()).toEqual([]);
	});
});

describe('dates without a zone', () => {
	it('are taken for UTC, so that nothing comes twice or is lost', async () => {
		bench.sandbox.setUnkind({ zonelessDates: true });
		const poller = await trigger({ objectType: 'item' });
		expect(await poller.drain()).toEqual([]);
		const changed = idsOfType('item').slice(0, 20);
		bench.sandbox.update('item', changed);
		expect(idsOf(await poller.drain()).toSorted()).toEqual(changed.toSorted());
		const records = [...bench.sandbox.records('item')].map(({ updated_at: date }) => String(date));
		// The sandbox's own dates have their Z.
		const newest = Math.max(...records.map((date) => Date.parse(date)));
		expect(poller.stored).toMatchObject({ workspaceData: { newest } });
	});
});

describe('a credential whose key belongs to another workspace now', () => {
	const whoami = '/v2/public/auth/whoami';

	it('starts over, says so, and asks once whose key it is', async () => {
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
		const asked = bench.sandbox.requests.filter(({ path }) => path === whoami);
		expect(asked.length).toBeLessThanOrEqual(1);
		for (const secret of Object.values(sandboxCredentials)) {
			expect(JSON.stringify([after.stored, logs])).not.toContain(secret);
		}
	});

	it('goes on with another key of the same workspace, whatever its permission level', async () => {
		const poller = await trigger({ objectType: 'deal' });
		await poller.poll();
		const regular = bench.v2(sandboxCredentials.v2Regular);
		const after = await trigger({ objectType: 'deal' }, 'memory', regular);
		after.stored = poller.stored;
		const changed = idsOfType('deal').slice(0, 3);
		bench.sandbox.update('deal', changed);
		const { items, logs } = await after.poll();
		expect(idsOf(items)).toEqual(changed);
		expect(messagesOf(logs)).not.toContain('another workspace');
	});
});

describe('a whoami that gives no answer', () => {
	const path = '/v2/public/auth/whoami';
	let own: Sandbox;
	/** What was learnt of a key is remembered by the process, so each test has an address of its own. */
	beforeEach(async () => {
		own = await startSandbox({ companies: 0, orders: 0, items: 0, deals: 10 });
	});
	afterEach(async () => await own.stop());
	const ownTrigger = async (): Promise<Poller> =>
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
		['does not know it', { status: 404, times: 1 }],
		['says that it failed', { body: { success: false }, times: 1 }],
		[
			'leads elsewhere',
			{ status: 302, headers: { location: 'https://elsewhere.example/' }, times: 1 },
		],
		['answers with a web page', { status: 200, body: '<html></html>', times: Infinity }],
	])('is done without where the service %s: the credential counts', async (_name, fault) => {
		vi.spyOn(Math, 'random').mockReturnValue(0.01);
		const poller = await ownTrigger();
		own.addFault({ path, ...fault });
		await poller.poll();
		expect(poller.stored).toMatchObject({
			workspaceData: { owner: { workspace: null, credential: 'credential-under-test' } },
		});
		own.clearRequests();
		expect((await poller.poll()).items).toBeNull();
		expect(own.requests.filter((request) => request.path === path)).toEqual([]);
	});
});
