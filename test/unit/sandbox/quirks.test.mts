// Tests quirks (unusual behaviour) of the sandbox, which is a simulated service. The node handles these quirks without
// an error, a hint or additional requests, so no test of the node would notice if a quirk had no effect.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { send, type ClientResponse } from '../../sandbox/test-client.mts';
import type { Quirks } from '../../sandbox/types.mts';

const companies = '/v2/public/companies';
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 40, orders: 5, items: 5, deals: 5 });
});
afterEach(() => {
	sandbox.setQuirks({});
});
afterAll(() => sandbox.stop());

const list = async (parameters: string): Promise<ClientResponse> =>
	await send(sandbox, `${companies}?${parameters}`);
const itemsOf = ({ body }: ClientResponse) => body.data.items;
const idsOf = (answer: ClientResponse) => itemsOf(answer).map(({ id }) => String(id));
const cursorOf = ({ body }: ClientResponse) => body.meta.pagination.next_cursor;

test.each<[Quirks, limit: number, records: number]>([
	[{ trailingCursor: true }, 40, 40],
	[{ emptyPages: { count: 3, at: 0 } }, 7, 0],
])(
	'returns a first page with a next cursor for the quirk %j: page size %i, %i records',
	async (settings, limit, records) => {
		sandbox.setQuirks(settings);
		const answer = await list(`sort=updated_at&limit=${limit}`);
		expect(itemsOf(answer)).toHaveLength(records);
		expect(cursorOf(answer)).toBeDefined();
	},
);

test.each([
	['toEmpty', 0],
	['toItself', 10],
] as const)(
	'returns a next cursor on the last page with trailingCursor %s, which leads to %i records and the same cursor',
	async (trailingCursor, records) => {
		sandbox.setQuirks({ trailingCursor });
		const second = cursorOf(await list('sort=updated_at&limit=30'));
		const last = await list(`cursor=${second}&limit=30`);
		expect(itemsOf(last)).toHaveLength(10);
		const after = await list(`cursor=${cursorOf(last)}&limit=30`);
		expect(itemsOf(after)).toHaveLength(records);
		expect(cursorOf(after)).toBe(cursorOf(last));
	},
);

test('returns different records after the list has changed if the cursor is a position or a page number', async () => {
	const ids = idsOf(await list('sort=updated_at&limit=40'));
	sandbox.setQuirks({ cursorsArePositions: true });
	const position = cursorOf(await list('sort=updated_at&limit=10'));
	sandbox.setQuirks({});
	const key = cursorOf(await list('sort=updated_at&limit=10'));
	sandbox.update('company', ids.slice(0, 5));
	expect(idsOf(await list(`cursor=${key}&limit=4`))).toEqual(ids.slice(10, 14));
	sandbox.setQuirks({ cursorsArePositions: true });
	expect(idsOf(await list(`cursor=${position}&limit=4`))).toEqual(ids.slice(15, 19));
	sandbox.setQuirks({ cursorsCountPages: true });
	expect(idsOf(await list(`cursor=${key}&limit=4`))).toEqual(ids.slice(9, 13));
});

test('hides records that were created after a cursor has frozen the list', async () => {
	sandbox.setQuirks({ cursorsFreeze: true });
	const cursor = cursorOf(await list('sort=created_at&limit=30'));
	const created = sandbox.create('company', 1);
	expect(itemsOf(await list(`cursor=${cursor}&limit=30`))).toHaveLength(10);
	sandbox.remove('company', created);
});

test('rejects a cursor with a different page size if cursors are bound to the page size', async () => {
	sandbox.setQuirks({ cursorsBoundToLimit: true });
	const cursor = cursorOf(await list('sort=updated_at&limit=5'));
	expect((await list(`cursor=${cursor}&limit=5`)).status).toBe(200);
	expect((await list(`cursor=${cursor}&limit=6`)).status).toBe(400);
});

test('gives a late change an older date than the newest record has', async () => {
	const [one = '', two = '', three = ''] = idsOf(await list('sort=created_at&limit=3'));
	expect(() => sandbox.update('company', [one], 1e9)).toThrow('has not gone on by 1000000000 ms');
	for (let seconds = 0; seconds < 10; seconds++) sandbox.update('company', [one]);
	sandbox.update('company', [two], 4_000);
	sandbox.update('company', [three], 0);
	const [first = 0, second = 0, third = 0] = itemsOf(await list('sort=created_at&limit=3')).map(
		({ updated_at: date }) => Date.parse(String(date)),
	);
	expect([first - second, first - third]).toEqual([4_000, 0]);
});
