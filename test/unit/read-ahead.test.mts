import { describe, expect, test } from 'vitest';
import { ServiceFailure } from '../../nodes/shared/failures.ts';
import { readPages, type PageRequest, type PagingOptions } from '../../nodes/shared/pages.ts';
import { guessNextCursor, ReadAhead } from '../../nodes/shared/read-ahead.ts';
import { readListEnvelope } from '../../nodes/shared/envelope.ts';
import type { AnswerHooks } from '../../nodes/shared/request.ts';

/** A page's text as the service sends it. */
function textOf(ids: string[], nextCursor?: string): string {
	const pagination = { page: 1, page_size: 2, total: 9, next_cursor: nextCursor };
	return JSON.stringify({
		success: true,
		data: { items: ids.map((id) => ({ id })) },
		meta: { pagination },
	});
}

interface Sent {
	request: PageRequest;
	hooks: AnswerHooks;
	answer: (text: string) => Promise<void>;
	fail: (error: Error) => void;
}

/** Requests that are answered by hand; `answer` gives the text to the hook first, as the client does. */
function byHand(): { sent: Sent[]; readAhead: ReadAhead } {
	const sent: Sent[] = [];
	const readAhead = new ReadAhead(
		async (request, hooks) =>
			await new Promise((resolve, fail) => {
				const answer = async (text: string): Promise<void> => {
					await hooks.onText(text);
					resolve({ body: JSON.parse(text), text });
				};
				sent.push({ request, hooks, answer, fail });
			}),
		async () => undefined,
	);
	return { sent, readAhead };
}

const settled = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));
const first = { limit: 2, sort: 'updated_at' };
const at = (cursor: string, limit = 2): PageRequest => ({ limit, cursor });
const requestsOf = (sent: Sent[]): PageRequest[] => sent.map(({ request }) => request);

describe('reading ahead', () => {
	test('the next page is requested before this one is given, and is not requested again', async () => {
		const { sent, readAhead } = byHand();
		const one = readAhead.fetch(first, at);
		expect(requestsOf(sent)).toEqual([first]);
		await sent[0].answer(textOf(['a'], 'c1'));
		expect(requestsOf(sent)).toEqual([first, at('c1')]);
		expect((await one).text).toBe(textOf(['a'], 'c1'));
		const two = readAhead.fetch(at('c1'), at);
		await sent[1].answer(textOf(['b']));
		expect((await two).text).toBe(textOf(['b']));
		expect(sent).toHaveLength(2);
	});

	test('no more than one page is ahead while nobody takes it', async () => {
		const { sent, readAhead } = byHand();
		const one = readAhead.fetch(first, at);
		await sent[0].answer(textOf(['a'], 'c1'));
		await one;
		void sent[1].answer(textOf(['b'], 'c2'));
		await settled();
		expect(requestsOf(sent)).toEqual([first, at('c1')]);
		await readAhead.fetch(at('c1'), at);
		expect(requestsOf(sent)).toEqual([first, at('c1'), at('c2')]);
	});

	test('a page that was guessed wrong is given up and the right one requested', async () => {
		const { sent, readAhead } = byHand();
		const one = readAhead.fetch(first, at);
		await sent[0].answer(textOf(['a'], 'c1'));
		await one;
		const two = readAhead.fetch(at('c1', 1), at);
		expect(requestsOf(sent)).toEqual([first, at('c1'), at('c1', 1)]);
		expect(sent.map(({ hooks }) => hooks.isWanted())).toEqual([true, false, true]);
		await sent[2].answer(textOf(['b'], 'c2'));
		expect((await two).body).toMatchObject({ data: { items: [{ id: 'b' }] } });
		// A service whose pages differ from what was asked for is not guessed at any more.
		expect(sent).toHaveLength(3);
	});

	test('nothing is ahead of the last page that is wanted', async () => {
		const { sent, readAhead } = byHand();
		const one = readAhead.fetch(first, () => undefined);
		await sent[0].answer(textOf(['a'], 'c1'));
		await one;
		expect(sent).toHaveLength(1);
	});

	test('a failure comes to whoever takes the page, and to nobody else', async () => {
		const { sent, readAhead } = byHand();
		const one = readAhead.fetch(first, at);
		await sent[0].answer(textOf(['a'], 'c1'));
		sent[1].fail(new ServiceFailure('timeout'));
		await settled();
		await one;
		await expect(readAhead.fetch(at('c1'), at)).rejects.toMatchObject({ kind: 'timeout' });
	});

	test('after the end what is still ahead is not wanted any more', async () => {
		const { sent, readAhead } = byHand();
		const one = readAhead.fetch(first, at);
		await sent[0].answer(textOf(['a'], 'c1'));
		await one;
		expect(sent[1].hooks.isWanted()).toBe(true);
		readAhead.stop();
		expect(sent[1].hooks.isWanted()).toBe(false);
	});

	test('a second attempt with the same next cursor does not send it again', async () => {
		const { sent, readAhead } = byHand();
		void readAhead.fetch(first, at);
		await sent[0].hooks.onText(textOf(['a'], 'c1'));
		await sent[0].hooks.onText(textOf(['a'], 'c1'));
		expect(requestsOf(sent)).toEqual([first, at('c1')]);
		await sent[0].hooks.onText(textOf(['a'], 'c2'));
		expect(requestsOf(sent)).toEqual([first, at('c1'), at('c2')]);
		expect(sent.map(({ hooks }) => hooks.isWanted())).toEqual([true, false, true]);
	});
});

describe('reading a whole list ahead', () => {
	const records = Array.from({ length: 23 }, (_none, index) => `r${index}`);

	/** Reads by cursor from a service that gives `perPage` records at most, and tells which requests it was sent. */
	async function read(paging: Partial<PagingOptions>, perPage = Infinity) {
		const sent: PageRequest[] = [];
		const readAhead = new ReadAhead(
			async (request, hooks) => {
				sent.push(request);
				const from = 'cursor' in request ? Number(request.cursor) : 0;
				const to = from + Math.min(request.limit, perPage);
				const more = to < records.length ? String(to) : undefined;
				const text = textOf(records.slice(from, to), more);
				await hooks.onText(text);
				return { body: JSON.parse(text), text };
			},
			async () => undefined,
		);
		const pages = readPages(
			async (request, following) => {
				const next = (cursor: string) => following?.(cursor, request.limit);
				return readListEnvelope((await readAhead.fetch(request, next)).body);
			},
			{ mode: 'cursor', sort: 'updated_at', pageSize: 5, ...paging } as PagingOptions,
		);
		const ids: unknown[] = [];
		for await (const page of pages) ids.push(...page.envelope.data.items.map(({ id }) => id));
		return { ids, sent };
	}

	test('sends each page once and in order', async () => {
		const { ids, sent } = await read({});
		expect(ids).toEqual(records);
		expect(sent).toEqual([
			{ limit: 5, sort: 'updated_at' },
			...['5', '10', '15', '20'].map((cursor) => at(cursor, 5)),
		]);
	});

	test.each([1, 4, 5, 6, 10, 12, 22, 23])('sends nothing beyond a limit of %i', async (maximum) => {
		const { ids, sent } = await read({ maximum });
		expect(ids).toEqual(records.slice(0, maximum));
		expect(sent.reduce((sum, { limit }) => sum + limit, 0)).toBe(
			Math.min(maximum, Math.ceil(records.length / 5) * 5),
		);
	});

	test.each([5, 11, 17, 23])(
		'where pages are shorter than asked for, a limit of %i costs one request more at most',
		async (maximum) => {
			const { ids, sent } = await read({ maximum }, 3);
			expect(ids).toEqual(records.slice(0, maximum));
			expect(sent.length - Math.ceil(maximum / 3)).toBeLessThanOrEqual(1);
		},
	);
});

describe('the guess of the next cursor', () => {
	test.each([
		['as the service writes it', textOf(['a'], 'c1'), 'c1'],
		['with characters that JSON escapes', textOf(['a'], 'a"b\\c\u0001ü'), 'a"b\\c\u0001ü'],
		['with spaces', '{"data": {"items": []}, "meta": {"pagination": {"next_cursor" : "c"}}}', 'c'],
		['none on the last page', textOf(['a']), undefined],
		['none where it is null', '{"items":[],"pagination":{"next_cursor":null}}', undefined],
		['none where it is empty', '{"items":[],"pagination":{"next_cursor":""}}', undefined],
		['none in a record', '{"data":{"items":[{"next_cursor":"x"}]},"meta":{}}', undefined],
		['none in an empty text', '', undefined],
		['none in HTML', '<html>"pagination"</html>', undefined],
		['none without items', '{"data":{},"meta":{"pagination":{"next_cursor":"c"}}}', undefined],
		[
			'none after a refusal',
			'{"success":false,"data":{"items":[]},"meta":{"pagination":{"next_cursor":"c"}}}',
			undefined,
		],
		['none that is cut off', textOf(['a'], 'c1').slice(0, -6), undefined],
	])('%s', (_name, text, expected) => {
		expect(guessNextCursor(text)).toBe(expected);
	});
});
