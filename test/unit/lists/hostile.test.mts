import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { ListEnvelope } from '../../../nodes/client/api.ts';
import { readListEnvelope } from '../../../nodes/client/envelope.ts';
import { readAll, type ReadList, type ReadOptions } from './read-pages.mts';

const LIST_FAILURES = [
	...['missingItems', 'missingPagination', 'repeatedPage', 'emptyPages', 'incompleteList'],
	...['wrongPage', 'incompletePage', 'changedList'],
];

const nasty = fc.oneof(
	fc.constantFrom(
		...[null, '', 'NaN', 'Infinity', '1', '-1', 'undefined', '__proto__', 'constructor', 'c1'],
		...[0, -0, 1, 2, 3, -1, 0.5, 1e308, 2 ** 53, 2 ** 53 - 1, true, false],
	),
	fc.constantFrom<unknown>([], {}, [1], { length: 1 }, ['c1']),
	fc.jsonValue({ maxDepth: 2 }),
);
const nastyKeys = fc.constantFrom(
	...['__proto__', 'constructor', 'toString', 'length', 'hasOwnProperty'],
);
const mostly = (usual: fc.Arbitrary<unknown>, ...odd: Array<fc.Arbitrary<unknown>>) =>
	fc.oneof({ weight: 6, arbitrary: usual }, ...odd);
/** Numbers that page mode can believe in. */
const believable = fc.record({
	page: fc.integer({ min: 1, max: 4 }),
	page_size: fc.constantFrom(1, 3, 1_000, 2 ** 53 - 1),
	total: fc.constantFrom(0, 3, 10, 2 ** 53 - 1),
});
const pagination = fc.oneof(
	believable,
	fc.record({ next_cursor: fc.constantFrom('c1', 'c2', 'c3', '__proto__', 'constructor') }),
	fc.record({ page: nasty, page_size: nasty, total: nasty, next_cursor: nasty }),
	fc.dictionary(nastyKeys, nasty),
	nasty,
);
const items = mostly(
	fc.array(fc.dictionary(fc.oneof(nastyKeys, fc.string()), nasty), { maxLength: 5 }),
	fc.array(nasty, { maxLength: 3 }),
	nasty,
);
/** Bodies as text, since that is how they come: `JSON.parse` makes an own property of `__proto__`. */
const body = mostly(
	fc.record({
		success: fc.constant(true),
		data: fc.record({ items }),
		meta: fc.record({ pagination, ctx_id: nasty }, { requiredKeys: ['pagination'] }),
	}),
	fc.record({ data: nasty, meta: nasty }, { requiredKeys: [] }),
	nasty,
).map((value) => JSON.stringify(value) ?? 'null');

const pageSize = fc.constant(3);
const maximum = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });
const options: fc.Arbitrary<ReadOptions> = fc.oneof(
	fc.record({
		...{ mode: fc.constant('cursor' as const), sort: fc.constant('updated_at' as const) },
		...{ pageSize, maximum, startCursor: fc.constantFrom(undefined, 'c1', '__proto__') },
	}),
	fc.record({
		...{ mode: fc.constant('page' as const), firstPage: fc.constantFrom(1, 2) },
		...{ pageSize, maximum },
	}),
);

interface Run extends ReadList {
	/** Records of all pages that the service sent in a proper envelope. */
	sent: unknown[];
	last?: ListEnvelope;
}

/** Reads a list whose answers come from `answer`; breaks the test when it asks more often than `bound`. */
async function run(
	answer: (request: number) => string,
	paging: ReadOptions,
	bound: number,
): Promise<Run> {
	const sent: unknown[] = [];
	const known = new Map<string, ListEnvelope>();
	let last: ListEnvelope | undefined;
	let requests = 0;
	const found = await readAll([], paging, async (request) => {
		const place = 'cursor' in request ? request.cursor : 'begin';
		// Asked once more: the service says what it said.
		const same = 'page' in request ? undefined : known.get(place);
		if (same !== undefined) return structuredClone(same);
		if (++requests > bound) throw new Error(`more than ${bound} requests`);
		last = readListEnvelope(JSON.parse(answer(requests - 1)));
		known.set(place, structuredClone(last));
		sent.push(...last.data.items);
		return last;
	});
	for (const [index, { recordsRead }] of found.pages.entries()) {
		const before = found.pages.slice(0, index + 1).flatMap((page) => page.envelope.data.items);
		expect(recordsRead).toBe(before.length);
	}
	return { ...found, sent, last };
}

/** A run ends in a list failure that knows its place, or in a list that the last answer proves complete. */
function expectHonestEnd(paging: ReadOptions, { pages, sent, last, failure }: Run): void {
	const { maximum = Infinity } = paging;
	const records = pages.flatMap(({ envelope }) => envelope.data.items);
	expect(records.length).toBeLessThanOrEqual(maximum);
	expect(records).toEqual(sent.slice(0, records.length));
	if (failure !== undefined) {
		expect(LIST_FAILURES).toContain(failure.kind);
		expect(failure.facts.recordsRead).toBe(records.length);
		expect(failure.facts.page).toBeGreaterThan(0);
		expect(typeof failure.facts.nextCursor).toBeOneOf(['string', 'undefined']);
		return;
	}
	if (records.length === maximum) return;
	expect(records).toEqual(sent);
	const { next_cursor, page = NaN, page_size = NaN, total = NaN } = last?.meta.pagination ?? {};
	if (paging.mode === 'cursor') expect(next_cursor ?? '').toBe('');
	else expect(page * page_size >= total).toBe(true);
}

it('a list ends honestly on any answers that come again and again', async () => {
	const bodies = fc.array(body, { minLength: 1, maxLength: 8 });
	await fc.assert(
		fc.asyncProperty(bodies, options, async (answers, paging) => {
			// Each request needs a cursor or page number that is new, and there are only so many.
			const bound = answers.length + 2;
			const found = await run((request) => answers[request % answers.length], paging, bound);
			expectHonestEnd(paging, found);
		}),
		{ numRuns: 300 },
	);
});
