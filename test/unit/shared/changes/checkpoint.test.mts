import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	pack,
	resumeFrom,
	CHECKPOINT_VERSION,
	type FollowedList,
	type Checkpoint,
} from '../../../../nodes/shared/changes/checkpoint.ts';
import { digestOf } from '../../../../nodes/shared/client/exact-json.ts';
import { checkpointOf } from './follower.mts';

const START: FollowedList = {
	objectType: 'company',
	field: 'updated_at',
	owner: 'credential',
	access: 'key',
	startFrom: 'now',
	now: 2_000_000,
	lookbackMs: 30_000,
};
/** Returns the checkpoint of a trigger that has not polled yet. */
const fresh = (start: Partial<FollowedList> = {}): Checkpoint =>
	checkpointOf(resumeFrom(undefined, { ...START, ...start }));

const packed = fc.array(fc.string(), { maxLength: 30 }).map((texts) => pack(texts.map(digestOf)));
const number = fc.option(fc.integer());
const checkpoint: fc.Arbitrary<Checkpoint> = fc.record({
	version: fc.constant<typeof CHECKPOINT_VERSION>(CHECKPOINT_VERSION),
	list: fc.constant(fresh().list),
	filter: fc.constant(fresh().filter),
	startOver: packed,
	owner: fc.constant(START.owner),
	access: fc.constant(START.access),
	starting: fc.boolean(),
	startedAt: fc.integer(),
	watermark: number,
	seenAtWatermark: packed,
	isSkipping: fc.boolean(),
	seen: packed,
	undated: packed,
	newest: number,
	newestAt: fc.integer(),
	settled: number,
	savedCursors: fc.array(
		fc.record({
			cursor: fc.string({ minLength: 1 }),
			pageSize: fc.integer({ min: 1 }),
			first: fc.string().map(digestOf),
			before: fc.nat(),
		}),
		{ maxLength: 2 },
	),
	total: number,
	futile: fc.nat(),
});

const DAMAGED = { refusal: 'damaged' };

describe('a stored checkpoint', () => {
	it('continues from a valid checkpoint without changing it, even after JSON.stringify and JSON.parse', () => {
		fc.assert(
			fc.property(checkpoint, (one) => {
				expect(resumeFrom(one, START)).toEqual({ checkpoint: one });
				expect(resumeFrom(JSON.parse(JSON.stringify(one)), START)).toEqual({ checkpoint: one });
			}),
		);
	});

	it('starts from scratch if nothing is stored, and rejects any stored value that is not a checkpoint', () => {
		const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true });
		fc.assert(
			fc.property(anything, (any) => {
				const isNone = any === undefined || any === null;
				expect(resumeFrom(any, START)).toMatchObject(isNone ? { reason: 'none' } : DAMAGED);
			}),
			{ numRuns: 300 },
		);
	});

	it('continues from a stored date if a member is missing or wrong, and rejects a checkpoint without a date', () => {
		const parts = Object.keys(fresh()).filter((name) => name !== 'owner' && name !== 'access');
		const wrong = fc.oneof(
			fc.constantFrom(undefined, [], NaN, Infinity, 1e20, [{}], {}, { cursor: 1, pageSize: 0 }),
			fc
				.constantFrom('cursor', 'pageSize', 'before')
				.map((name) => [{ cursor: 'c', pageSize: 1, first: '', before: 0, [name]: null }]),
			fc.object(),
		);
		fc.assert(
			fc.property(checkpoint, fc.constantFrom(...parts), wrong, (one, part, value) => {
				fc.pre(part !== 'savedCursors' || !Array.isArray(value) || value.length > 0);
				fc.pre(one.settled !== null || one.watermark !== null);
				const opened = resumeFrom({ ...one, starting: false, [part]: value }, START);
				const isLeft = (['settled', 'watermark'] as const).some(
					(name) => name !== part && one[name] !== null,
				);
				const byDate = { reason: 'otherVersion', from: expect.any(Number) };
				expect(opened).toMatchObject(isLeft ? byDate : DAMAGED);
			}),
		);
	});
});

/**
 * Checkpoint of a list whose newest record is dated 1,000 s after 1970. All records dated before 900 s after 1970 were
 * processed.
 */
const known: Checkpoint = {
	...fresh({ startFrom: 'beginning' }),
	watermark: 900_000,
	seenAtWatermark: digestOf('at'),
	seen: digestOf('seen'),
	undated: digestOf('undated'),
	newest: 1_000_000,
	settled: 970_000,
	savedCursors: [{ cursor: 'c', pageSize: 1, first: digestOf('c'), before: 5 }],
};
const other = { ...START, additional: { status: 'open' } };

describe('a checkpoint with different Filters or from another package version', () => {
	const v8 = { version: 8, settled: 970_000, watermark: null, owner: { workspace: 'w' } };
	it.each([
		{ what: 'different Filters', stored: known, start: other, from: 970_000, at: '' },
		{
			what: 'a high-water mark newer than its late-change cutoff',
			stored: { ...known, settled: 500_000 },
			start: other,
			...{ from: 900_000, at: digestOf('at') },
		},
		{
			what: 'a late-change cutoff in the future',
			stored: { ...known, settled: 9_000_000 },
			...{ start: other, from: 1_970_000 },
		},
		{
			what: 'a newer version number',
			stored: { ...known, version: CHECKPOINT_VERSION + 1 },
			start: START,
			from: 970_000,
		},
		{ what: 'the old version 8', stored: v8, start: START, from: 970_000, seen: '', undated: '' },
		{
			what: 'no date except Start Date',
			stored: fresh({ startFrom: 'date', startDate: 5 }),
			start: { ...other, startFrom: 'date' as const, startDate: 9 },
			...{ from: 5 + 1 / 4_096, seen: '', undated: '' },
		},
	])('continues from a stored date and keeps known versions if the checkpoint has $what', (row) => {
		const { stored, start, from, at = '' } = row;
		const { seen = known.seen, undated = known.undated } = row;
		const opened = resumeFrom(stored, start);
		const remembered = { seenAtWatermark: at, seen, undated, savedCursors: [] };
		const continued = { ...fresh(start), watermark: from, starting: false, ...remembered };
		const reason = start === START ? 'otherVersion' : 'otherFilter';
		expect(opened).toEqual({ checkpoint: continued, reason, from });
		expect(resumeFrom(checkpointOf(opened), start)).toEqual({ checkpoint: checkpointOf(opened) });
	});

	it('restarts an unfinished Start From: Now at its stored start time, or now if the stored time is damaged', () => {
		const begun = { ...known, starting: true, startedAt: 7 };
		const start = { ...other, startFrom: 'beginning' } as const;
		const { watermark, seenAtWatermark, seen, undated } = known;
		const handled = { watermark, seenAtWatermark, seen, undated };
		const checkpoint = { ...fresh(start), ...handled, starting: true, startedAt: 7 };
		expect(resumeFrom(begun, start)).toEqual({ checkpoint, reason: 'otherFilter', from: 7 });
		const damaged = { ...begun, startedAt: null, watermark: 'x' };
		const again = { ...checkpoint, watermark: null, startedAt: START.now };
		const expected = { checkpoint: again, reason: 'otherVersion', from: START.now };
		expect(resumeFrom(damaged, start)).toEqual({ ...expected, checkpoint: { ...again } });
	});

	it('reads the list from its beginning if no date was read, and keeps undated records and the first start time', () => {
		const empty = { ...fresh(), newest: null, undated: known.undated, startedAt: 7 };
		const checkpoint = { ...fresh(other), undated: known.undated };
		const from = { checkpoint: { ...checkpoint, startedAt: 7 }, reason: 'otherFilter', from: 7 };
		expect(resumeFrom({ ...empty, starting: false }, other)).toEqual(from);
		const beginning = { ...other, startFrom: 'beginning' } as const;
		const all = { ...checkpoint, starting: false, startedAt: 7 };
		expect(resumeFrom({ ...empty, starting: false }, beginning)).toEqual({ checkpoint: all });
		const again = { ...fresh(), undated: known.undated, starting: false, startedAt: 7 };
		expect(
			resumeFrom({ ...empty, starting: false, version: CHECKPOINT_VERSION + 1 }, START),
		).toEqual({
			checkpoint: again,
		});
	});
});

describe('starting over', () => {
	it.each<Partial<FollowedList>>([{ objectType: 'order' }, { field: 'created_at' }])(
		'starts over if the object type or event has changed: %j',
		(change) => {
			const start = { ...START, ...change };
			const expected = { checkpoint: fresh(change), reason: 'otherList' };
			expect(resumeFrom(known, start)).toEqual(expected);
			expect(resumeFrom(known, { ...start, owner: 'another' })).toMatchObject({
				reason: 'otherList',
			});
		},
	);

	it.each([
		{ stored: undefined, now: 'a', isNew: true },
		{ stored: 'a', now: 'b', isNew: true },
		{ stored: 'a', now: 'a', isNew: false },
		{ stored: 'a', now: undefined, isNew: false },
	])(
		'starts over only if Start Over contains a new text (stored: $stored, current: $now)',
		({ stored, now, isNew }) => {
			const before = { ...known, startOver: fresh({ startOver: stored }).startOver };
			const opened = resumeFrom(before, { ...START, startOver: now });
			expect('reason' in opened && opened.reason).toBe(isNew && 'startOver');
			// The checkpoint remembers earlier texts of Start Over even if the option is empty now.
			const obeyed = new Set([stored, now].filter((text) => text !== undefined));
			expect(checkpointOf(opened).startOver).toBe(pack([...obeyed].map(digestOf)));
		},
	);

	it('starts over only once for each of 50 texts, even if an older workflow version restores an old text', () => {
		let checkpoint = known;
		const open = (startOver: string, objectType = 'company') => {
			const opened = resumeFrom(checkpoint, { ...START, objectType, startOver });
			checkpoint = checkpointOf(opened);
			return 'reason' in opened ? opened.reason : undefined;
		};
		const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`);
		for (const text of texts) expect(open(text)).toBe('startOver');
		for (const text of texts.toReversed()) expect(open(text)).toBeUndefined();
		expect(open('text 7', 'order')).toBe('otherList');
		expect(open('text 8', 'order')).toBeUndefined();
		// The checkpoint remembers only 50 texts of Start Over, so a new text replaces the oldest one.
		expect(open('one more', 'order')).toBe('startOver');
		expect([open('text 1', 'order'), open('text 0', 'order')]).toEqual([undefined, 'startOver']);
		expect(checkpoint.startOver).toHaveLength(50 * 11);
	});

	it.each(['nonsense', 5, { newest: 'x' }, { ...known, owner: 'another' }])(
		'starts over for a new text in Start Over, whatever value is stored: %j',
		(stored) => {
			const start = { ...START, startOver: 'again' };
			expect(resumeFrom(stored, start)).toEqual({ checkpoint: fresh(start), reason: 'startOver' });
		},
	);
});

describe('the credential of a checkpoint', () => {
	it('rejects a checkpoint that belongs to another credential', () => {
		expect(resumeFrom(known, { ...START, owner: 'another' })).toEqual({ refusal: 'otherOwner' });
	});

	it.each([START, other])('reports a changed API key or Base URL (settings %j)', (start) => {
		const before = resumeFrom(known, start);
		const after = resumeFrom(known, { ...start, access: 'new key' });
		const checkpoint = { ...checkpointOf(before), access: 'new key' };
		expect(after).toEqual({ ...before, checkpoint, hasOtherAccess: true });
	});
});
