import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nextCursorIn } from '../../../nodes/client/next-cursor.ts';
import { TextInParts } from '../../../nodes/client/text-in-parts.ts';

const META = { ctx_id: 'a', pagination: { page: 1, page_size: 2, total: 9, next_cursor: 'c1' } };
const PAGE = { success: true, data: { items: [{ id: '1' }, { id: '2' }] }, meta: META };

/** Names and texts that look like what is searched for. */
const tricky = fc.constantFrom(
	...['meta', '"meta":', '\\"meta":', '\\', 'x"meta', '}', '{"pagination":{"next_cursor":"no"}}'],
	...['"meta":{"pagination":{"next_cursor":"no"}}', '"meta":{"pagination":{"next_cursor":"no"}}}'],
);
const pagination = fc.record(
	{ next_cursor: fc.oneof(fc.string(), tricky, fc.constantFrom('', null, 7)), total: fc.nat() },
	{ requiredKeys: [] },
);
const meta = fc.oneof(fc.record({ pagination }), fc.record({ pagination, ctx_id: tricky }), tricky);
const { value } = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		fc.oneof(tricky, fc.string(), fc.integer(), fc.constant(null)),
		fc.dictionary(fc.oneof(tricky, fc.string()), tie('value'), { maxKeys: 3 }),
		fc.record({ meta }),
		fc.array(tie('value'), { maxLength: 2 }),
	),
}));
/** So long that an outline of the text leaves something out. */
const long = fc.constant({ note: 'x'.repeat(6_000) });
const records = fc.array(fc.dictionary(fc.oneof(tricky, fc.string()), value), { maxLength: 3 });
const items = fc.oneof(
	records,
	fc.tuple(records, long, records).map((some) => some.flat()),
);
const members = fc.tuple(
	fc.constant(['success', true] as const),
	fc.tuple(fc.constant('data'), fc.record({ items })),
	fc.tuple(fc.constant('meta'), meta),
	fc.tuple(fc.oneof(tricky, fc.constant('data')), value),
);

/** One JSON text of the members in this order, which an object would not keep where one comes twice. */
function textOf(drawn: ReadonlyArray<readonly [string, unknown]>, space: string): string {
	const written = drawn.map(
		([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one, null, space)}`,
	);
	return `{${space}${written.join(`,${space}`)}}${space}`;
}

describe('the next cursor, read from the end of a text', () => {
	it('is that of the envelope, or is not read, whatever the text holds', () => {
		const order = fc.constantFrom([0, 1, 2], [0, 1, 2, 3], [0, 1, 3, 2], [0, 3, 1, 2], [2, 0, 1]);
		let found = 0;
		let foundInOutlines = 0;
		fc.assert(
			fc.property(members, order, fc.constantFrom('', ' ', '\n'), (drawn, places, space) => {
				const text = textOf(
					places.map((place) => drawn[place]),
					space,
				);
				const parts = new TextInParts();
				parts.add(text);
				const cursor = nextCursorIn(text);
				expect(nextCursorIn(parts.outline)).toBe(cursor);
				if (cursor === undefined) return;
				found += 1;
				if (parts.outline !== text) foundInOutlines += 1;
				const body = JSON.parse(text) as { meta: typeof META };
				expect(cursor).toBe(body.meta.pagination.next_cursor);
			}),
			{ numRuns: 20_000 },
		);
		expect(found).toBeGreaterThan(500);
		expect(foundInOutlines).toBeGreaterThan(200);
	});

	it.each([
		['as the specification shows it', JSON.stringify(PAGE), 'c1'],
		['with line breaks', `${JSON.stringify(PAGE, null, 2)}\n`, 'c1'],
		[
			'with another meta in a record',
			textOf(
				[
					['success', true],
					['data', { items: [{ meta: META }] }],
					['meta', { pagination: {} }],
				],
				'',
			),
			undefined,
		],
		['that ends within a record', JSON.stringify(PAGE).slice(0, -20), undefined],
		['that says no', JSON.stringify({ ...PAGE, success: false }), undefined],
		['that says nothing of success', JSON.stringify({ data: PAGE.data, meta: META }), undefined],
		['without records', JSON.stringify({ ...PAGE, data: { items: [] } }), undefined],
		[
			'with something else for records',
			JSON.stringify({ ...PAGE, data: { items: ['a'] } }),
			undefined,
		],
		[
			'whose meta comes first',
			JSON.stringify({ meta: META, success: true, data: PAGE.data }),
			undefined,
		],
		['with something behind it', JSON.stringify({ ...PAGE, more: 1 }), undefined],
		[
			'with a long meta',
			JSON.stringify({ ...PAGE, meta: { ...META, note: 'x'.repeat(3_000) } }),
			undefined,
		],
		['whose last name only ends like it', JSON.stringify({ ...PAGE, 'a"meta': META }), undefined],
		['that is empty', '', undefined],
	])('of a page %s', (_name, text, cursor) => {
		expect(nextCursorIn(text)).toBe(cursor);
	});
});
