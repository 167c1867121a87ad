import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	openState,
	STATE_VERSION,
	type FoundOwner,
	type Owner,
	type Start,
	type State,
} from '../../../nodes/changes/state.ts';
import { digestOf, pack, unpack } from '../../../nodes/lists/version.ts';

const owner = (workspace: string | null, credential: string | null): Owner => ({
	workspace,
	credential,
});

const START: Start = {
	baseUrl: 'https://service.example',
	objectType: 'company',
	field: 'updated_at',
	owner: owner('w', '7'),
	startFrom: 'now',
};
/** A state that has read nothing yet. */
const fresh = (start: Partial<Start> = {}): State =>
	openState(undefined, { ...START, ...start }).state;
const { fingerprint } = fresh();

const packed = fc.array(fc.string(), { maxLength: 30 }).map((texts) => pack(texts.map(digestOf)));
const number = fc.option(fc.integer());
const state: fc.Arbitrary<State> = fc.record({
	version: fc.constant<typeof STATE_VERSION>(STATE_VERSION),
	fingerprint: fc.constant(fingerprint),
	owner: fc.constant(START.owner),
	starting: fc.boolean(),
	watermark: number,
	seenAtWatermark: packed,
	isSkipping: fc.boolean(),
	seen: packed,
	undated: packed,
	newest: number,
	newestAt: fc.integer(),
	savedCursors: fc.array(
		fc.record({
			cursor: fc.string({ minLength: 1 }),
			limit: fc.integer({ min: 1 }),
			first: fc.string().map(digestOf),
		}),
		{ maxLength: 2 },
	),
	limit: number,
	futile: fc.nat(),
});

describe('openState', () => {
	it('reads back every state, also after a trip through JSON', () => {
		fc.assert(
			fc.property(state, (one) => {
				expect(openState(one, START)).toEqual({ state: one });
				expect(openState(JSON.parse(JSON.stringify(one)), START)).toEqual({ state: one });
			}),
		);
	});

	it('never throws, and starts over with a reason, whatever is stored', () => {
		const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true });
		fc.assert(
			fc.property(anything, (any) => {
				const reason = any === undefined || any === null ? 'none' : 'damaged';
				expect(openState(any, START)).toEqual({ state: fresh(), reason });
			}),
			{ numRuns: 300 },
		);
	});

	it('refuses a state of which any one part is something else, or missing', () => {
		const parts = Object.keys(fresh()).filter((name) => name !== 'owner');
		const wrong = fc.oneof(
			fc.constantFrom(undefined, [], NaN, Infinity, [{}], {}, { cursor: 1, limit: 0 }),
			fc
				.constantFrom('cursor', 'limit')
				.map((name) => [{ cursor: 'c', limit: 1, first: '', [name]: null }]),
			fc.object(),
		);
		fc.assert(
			fc.property(state, fc.constantFrom(...parts), wrong, (one, part, value) => {
				fc.pre(part !== 'savedCursors' || !Array.isArray(value) || value.length > 0);
				const { reason } = openState({ ...one, [part]: value }, START);
				expect(reason).toBe('damaged');
			}),
		);
	});

	const savedCursor = { cursor: 'c', limit: 1, first: digestOf('') };
	it.each([
		{ owner: null },
		{ owner: { credential: '7' } },
		{ owner: { workspace: 7, credential: '7' } },
		{ owner: { workspace: 'w', credential: '' } },
		{ savedCursors: [{ ...savedCursor, limit: 0 }] },
		{ savedCursors: [savedCursor, { ...savedCursor, cursor: '' }] },
		{ savedCursors: [{ ...savedCursor, cursor: null }] },
	])('refuses a state with %j', (damage) => {
		expect(openState({ ...fresh(), savedCursors: [savedCursor] }, START).reason).toBeUndefined();
		expect(openState({ ...fresh(), ...damage }, START).reason).toBe('damaged');
	});

	it.each<Partial<Start>>([
		{ baseUrl: 'https://other.example' },
		{ objectType: 'order' },
		{ field: 'created_at' },
		{ additional: { status: 'open' } },
		{ startOver: 'again' },
	])('starts over where the list is another one: %j', (other) => {
		expect(openState(fresh(other), START)).toEqual({ state: fresh(), reason: 'otherSettings' });
		expect(fresh(other).fingerprint).toMatch(/^.{11}$/);
	});
});

describe('whose records a state is about', () => {
	const isKept = (before: Owner, now: FoundOwner): boolean =>
		openState(fresh({ owner: before }), { ...START, owner: now }).reason === undefined;

	it('is told by the workspace, whatever credential it is read with', () => {
		expect(isKept(owner('a', '1'), owner('a', '2'))).toBe(true);
		expect(isKept(owner('a', '1'), owner('b', '1'))).toBe(false);
	});

	it.each([
		[null, null],
		['a', null],
		[null, 'a'],
	])('is told by the credential where the workspace was not named (%s, then %s)', (before, now) => {
		expect(isKept(owner(before, '1'), owner(now, '1'))).toBe(true);
		expect(isKept(owner(before, '1'), owner(now, '2'))).toBe(false);
	});

	it('is told by any id that the workspace has, and the one that is stored stays', () => {
		const before = fresh({ owner: owner('code', '1') });
		const now = { ...owner('id', '2'), names: ['id', 'code'] };
		expect(openState(before, { ...START, owner: now }).state.owner).toEqual(owner('code', '2'));
		expect(isKept(owner('other', '2'), now)).toBe(false);
	});

	it('stays known when the service does not name the workspace for a while', () => {
		const before = fresh({ owner: owner('a', '1') });
		const { state: meanwhile } = openState(before, { ...START, owner: owner(null, '1') });
		const { reason } = openState(meanwhile, { ...START, owner: owner('b', '1') });
		expect(reason).toBe('otherWorkspace');
	});
});

it('packs digests into one text and takes them apart again', () => {
	fc.assert(
		fc.property(fc.array(fc.string()), (texts) => {
			const digests = texts.map(digestOf);
			expect(unpack(pack(digests))).toEqual(digests);
		}),
	);
});
