import { setImmediate } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { ListEnvelope } from '../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { readPages, type FetchPage, type PagingOptions } from '../../../nodes/client/pages.ts';

const OPTIONS = { mode: 'cursor', sort: 'updated_at', pageSize: 2 } as const;
const ANSWER = { tookMs: 1, characters: 10 };

/** A list of `total` records that tells each next cursor before the page is parsed; `tell` may tell another one. */
class TellingService {
	readonly asked: Array<{ cursor?: string; limit: number; isWanted: () => boolean }> = [];
	/** Which requests were parsed, by number from 0. */
	readonly parsed: number[] = [];
	private readonly total: number;
	private readonly tell: (next: string) => string[];

	constructor(total: number, tell: (next: string) => string[] = (next) => [next]) {
		this.total = total;
		this.tell = tell;
	}

	readonly fetchPage: FetchPage = async ({ limit, ...place }, { isWanted, onNextCursor }) => {
		const cursor = 'cursor' in place ? place.cursor : undefined;
		const number = this.asked.push({ cursor, limit, isWanted }) - 1;
		await setImmediate();
		const from = Number(cursor ?? 0);
		const to = Math.min(this.total, from + limit);
		const more = to < this.total ? { next_cursor: String(to) } : {};
		const told = to < this.total ? this.tell(String(to)) : [];
		for (const next of told) await onNextCursor?.(next, ANSWER);
		this.parsed.push(number);
		const items = Array.from({ length: Math.max(0, to - from) }, (_none, id) => ({
			id: from + id,
		}));
		return { success: true, data: { items }, meta: { pagination: more } } as ListEnvelope;
	};

	get cursors(): Array<string | undefined> {
		return this.asked.map(({ cursor }) => cursor);
	}
}

async function read(service: TellingService, options: PagingOptions = OPTIONS): Promise<number[]> {
	const ids: number[] = [];
	for await (const { envelope } of readPages(service.fetchPage, options, async () => {})) {
		for (const { id } of envelope.data.items) ids.push(id as number);
	}
	return ids;
}

describe('asking for the page behind one that is not parsed yet', () => {
	it('leaves before the parsing, at most one page ahead, and each page is asked for once', async () => {
		const service = new TellingService(8);
		const atTurn: number[][] = [];
		const turn = async (): Promise<void> =>
			void atTurn.push([service.asked.length, service.parsed.length]);
		const seen: number[][] = [];
		for await (const page of readPages(service.fetchPage, OPTIONS, turn)) {
			for (let turns = 0; turns < 5; turns++) await setImmediate();
			seen.push([page.recordsRead, service.asked.length]);
		}
		expect(atTurn).toEqual([
			[2, 0],
			[3, 1],
			[4, 2],
		]);
		expect(seen).toEqual([
			[2, 2],
			[4, 3],
			[6, 4],
			[8, 4],
		]);
	});

	it('is not done where pages are not asked for ahead', async () => {
		const service = new TellingService(8);
		for await (const page of readPages(service.fetchPage, OPTIONS)) {
			expect(service.asked).toHaveLength(page.number);
		}
	});

	it('asks for nothing behind the maximum, nor for what a file no longer takes', async () => {
		const service = new TellingService(20);
		expect(await read(service, { ...OPTIONS, maximum: 9, boundary: 5 })).toHaveLength(9);
		expect(service.asked.map(({ limit }) => limit)).toEqual([2, 2, 1, 2, 2]);
	});

	it('is done once where the answer came twice, because the first could not be parsed', async () => {
		const service = new TellingService(6, (next) => [next, next]);
		expect(await read(service)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(service.cursors).toEqual([undefined, '2', '4']);
	});

	it('goes by the last one told, where an answer that could not be parsed told another', async () => {
		const service = new TellingService(4, (next) => (next === '2' ? ['3', '2'] : []));
		expect(await read(service)).toEqual([0, 1, 2, 3]);
		expect(service.cursors).toEqual([undefined, '3', '2']);
		expect(service.asked.map(({ isWanted }) => isWanted())).toEqual([true, false, false]);
	});

	it('goes by what was parsed in the end, and gives up what was asked for', async () => {
		const service = new TellingService(4, (next) => (next === '2' ? ['3'] : []));
		expect(await read(service)).toEqual([0, 1, 2, 3]);
		expect(service.cursors).toEqual([undefined, '3', '2']);
		expect(service.asked[1].isWanted()).toBe(false);
	});

	it('does not ask for a cursor that came before', async () => {
		const service = new TellingService(6, () => ['1']);
		expect(await read(service, { ...OPTIONS, startCursor: '1' })).toEqual([1, 2, 3, 4, 5]);
		expect(service.cursors).toEqual(['1', '3', '5']);
	});

	it('is given up where the page before it fails', async () => {
		const service = new TellingService(6);
		const failing: FetchPage = async (request, hooks) => {
			const page = await service.fetchPage(request, hooks);
			if ('cursor' in request) return page;
			throw new ServiceFailure('invalidBody');
		};
		const pages = readPages(failing, OPTIONS, async () => {});
		await expect(pages.next()).rejects.toMatchObject({ kind: 'invalidBody' });
		expect(service.cursors).toEqual([undefined, '2']);
		expect(service.asked[1].isWanted()).toBe(false);
	});

	it('is given up where nobody reads on', async () => {
		const service = new TellingService(6);
		const pages = readPages(service.fetchPage, OPTIONS, async () => {});
		await pages.next();
		await pages.return();
		for (let turns = 0; turns < 5; turns++) await setImmediate();
		expect(service.cursors).toEqual([undefined, '2']);
		expect(service.asked[1].isWanted()).toBe(false);
	});
});
