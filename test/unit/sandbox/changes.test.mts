import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { readAll, send } from '../../sandbox/test-client.mts';

const companies = '/v2/public/companies';
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ companies: 100, seed: 3 });
});
afterEach(() => sandbox.stop());

function idNumber(number: number): string {
	return `cmp_${String(number).padStart(9, '0')}`;
}

test('records updated while paging appear at least once in their newest version', async () => {
	const records = await readAll(sandbox, companies, 'updated_at', 10, (page) => {
		if (page > 6) return;
		sandbox.update('company', [idNumber(page), idNumber(100 - page), idNumber(50)]);
	});
	const newest = new Map(records.map((record) => [record.id, record.revision]));
	for (const record of sandbox.records('company'))
		expect(newest.get(record.id)).toBe(record.revision);
	expect(newest.get(idNumber(50))).toBe(7);
	expect(newest.size).toBe(100);
});

test('paging by created_at is not disturbed by updates', async () => {
	const records = await readAll(sandbox, companies, 'created_at', 10, (page) =>
		sandbox.update('company', [idNumber(page), idNumber(100 - page)]),
	);
	expect(new Set(records.map(({ id }) => id)).size).toBe(100);
	expect(records).toHaveLength(100);
});

test('removed and created records do not shift the pages of a cursor', async () => {
	const records = await readAll(sandbox, companies, 'updated_at', 10, (page) => {
		if (page === 2) sandbox.remove('company', records1to20());
		if (page === 3) sandbox.create('company', 15);
	});
	const ids = new Set(records.map(({ id }) => id));
	expect(ids.size).toBe(records.length);
	for (const { id } of sandbox.records('company')) expect(ids.has(id)).toBe(true);
	expect(sandbox.count('company')).toBe(95);
});

function records1to20(): string[] {
	return Array.from({ length: 20 }, (_, place) => idNumber(place + 1));
}

test('a kept cursor finds exactly what changed since', async () => {
	const first = await send(sandbox, `${companies}?sort=updated_at&limit=99`);
	const cursor = first.body.meta.pagination.next_cursor;
	const updated = first.body.data.items.slice(0, 3).map(({ id }) => String(id));
	sandbox.update('company', updated);
	const created = sandbox.create('company', 2);
	const since = await send(sandbox, `${companies}?cursor=${cursor}&limit=100`);
	expect(since.body.data.items.slice(1).map(({ id }) => id)).toEqual([
		...updated.sort(),
		...created,
	]);
	expect(since.body.meta.pagination.total).toBe(102);
});

test('page mode stays whole after changes', async () => {
	sandbox.remove('company', [idNumber(1), idNumber(2), idNumber(60)]);
	sandbox.create('company', 4);
	sandbox.update('company', [idNumber(5), idNumber(101), idNumber(99)]);
	for (const sort of ['updated_at', 'created_at', 'id', 'employees']) {
		const ids: unknown[] = [];
		for (let page = 1; page <= 11; page++) {
			const { body } = await send(sandbox, `${companies}?page=${page}&limit=10&sort=${sort}`);
			ids.push(...body.data.items.map(({ id }) => id));
		}
		expect(new Set(ids).size).toBe(101);
		expect(ids).toHaveLength(101);
		if (sort === 'updated_at') {
			expect(ids.slice(-3)).toEqual([idNumber(5), idNumber(99), idNumber(101)]);
		}
	}
});

test('every update is later than all before it', () => {
	const newest = () =>
		[...sandbox.records('company')]
			.map((record) => String(record.updated_at))
			.sort()
			.at(-1);
	const before = newest() as string;
	sandbox.update('company', [idNumber(1)]);
	const after = newest() as string;
	expect(after > before).toBe(true);
	sandbox.create('company', 1);
	expect((newest() as string) > after).toBe(true);
	expect(() => sandbox.update('company', ['cmp_000009999'])).toThrow('There is no company');
	expect(() => sandbox.remove('company', ['ord_000000001'])).toThrow('There is no company');
});

test('a removed record comes back as it was', () => {
	const before = [...sandbox.records('company')];
	const { id } = before[3] as { id: string };
	sandbox.remove('company', [id]);
	expect(sandbox.count('company')).toBe(before.length - 1);
	sandbox.restore('company', [id, String(before[0]?.id)]);
	expect([...sandbox.records('company')]).toEqual(before);
});
