import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fingerprintOf, freshState, readState, type State } from '../../../nodes/changes/state.ts';
import { digestOf, pack, unpack } from '../../../nodes/common/digests.ts';
import type { Owner } from '../../../nodes/common/owner.ts';

const FINGERPRINT = fingerprintOf('https://service.example', 'company', 'updated_at');

const OWNER: Owner = { workspace: 'w', credential: '7' };

const packed = fc.array(fc.string(), { maxLength: 30 }).map((texts) => pack(texts.map(digestOf)));
const number = fc.option(fc.integer());
const state: fc.Arbitrary<State> = fc.record({
	version: fc.constant(4 as const),
	fingerprint: fc.constant(FINGERPRINT),
	owner: fc.constant(OWNER),
	starting: fc.boolean(),
	floor: number,
	behind: packed,
	isCut: fc.boolean(),
	isShortened: fc.boolean(),
	seen: packed,
	undated: packed,
	newest: number,
	newestAt: fc.integer(),
	shortcuts: fc.array(
		fc.record({
			cursor: fc.string({ minLength: 1 }),
			limit: fc.integer({ min: 1 }),
			proven: fc.nat(),
			first: fc.string().map(digestOf),
		}),
		{ maxLength: 2 },
	),
	limit: number,
	futile: fc.nat(),
});

describe('readState', () => {
	it('reads back every state, also after a trip through JSON', () => {
		fc.assert(
			fc.property(state, (one) => {
				expect(readState(one, FINGERPRINT, OWNER)).toEqual({ state: one });
				expect(readState(JSON.parse(JSON.stringify(one)), FINGERPRINT, OWNER)).toEqual({
					state: one,
				});
			}),
		);
	});

	it('never throws, and gives a whole state or a reason, whatever is stored', () => {
		fc.assert(
			fc.property(
				fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
				(any) => {
					const read = readState(any, FINGERPRINT, OWNER);
					expect(read.state === undefined || read.state.fingerprint === FINGERPRINT).toBe(true);
				},
			),
			{ numRuns: 2_000 },
		);
	});

	it('refuses a state of which any one part is something else, or missing', () => {
		const parts = [
			'version',
			'starting',
			'floor',
			'behind',
			'isCut',
			'seen',
			'undated',
			'newest',
			'shortcuts',
			'limit',
			'futile',
		];
		const wrong = fc.oneof(
			fc.constantFrom(
				undefined,
				'not packed',
				NaN,
				Infinity,
				[{}],
				{},
				{
					cursor: 1,
					limit: 0,
				},
			),
			fc
				.constantFrom('cursor', 'limit', 'proven')
				.map((name) => [{ cursor: 'c', limit: 1, proven: 1, first: '', [name]: null }]),
			fc.object(),
		);
		fc.assert(
			fc.property(state, fc.constantFrom(...parts), wrong, (one, part, value) => {
				const read = readState({ ...one, [part]: value }, FINGERPRINT, OWNER);
				expect(read).toEqual({ state: undefined, reason: 'damaged' });
			}),
		);
	});

	it('tells nothing stored, a damaged state and one of other settings apart', () => {
		const other = fingerprintOf('https://service.example', 'order', 'updated_at');
		const stored = freshState({ fingerprint: other, owner: OWNER, startFrom: 'now' });
		expect(readState(undefined, FINGERPRINT, OWNER)).toMatchObject({ reason: 'none' });
		expect(readState(stored, FINGERPRINT, OWNER)).toMatchObject({ reason: 'otherSettings' });
		expect(readState({ ...stored, fingerprint: 7 }, FINGERPRINT, OWNER)).toMatchObject({
			reason: 'damaged',
		});
		expect(readState({ ...stored, version: 1 }, FINGERPRINT, OWNER)).toMatchObject({
			reason: 'damaged',
		});
	});
});

describe('whose records a state is about', () => {
	const isKept = (before: Owner, now: Owner): boolean =>
		readState(fresh(before), FINGERPRINT, now).state !== undefined;
	const fresh = (whose: Owner): State =>
		freshState({ fingerprint: FINGERPRINT, owner: whose, startFrom: 'now' });
	const owner = (workspace: string | null, credential: string | null): Owner => ({
		workspace,
		credential,
	});

	it('is told by the workspace, whatever credential it is read with', () => {
		expect(isKept(owner('a', '1'), owner('a', '2'))).toBe(true);
		expect(isKept(owner('a', '1'), owner('b', '1'))).toBe(false);
	});

	it('is told by the credential where the workspace was not named, then or now', () => {
		for (const [before, now] of [
			[null, null],
			['a', null],
			[null, 'a'],
		]) {
			expect(isKept(owner(before, '1'), owner(now, '1'))).toBe(true);
			expect(isKept(owner(before, '1'), owner(now, '2'))).toBe(false);
		}
	});

	it('stays known when the service does not name the workspace for a while', () => {
		const stored = fresh(owner('a', '1'));
		const { state } = readState(stored, FINGERPRINT, owner(null, '1'));
		expect(readState(state, FINGERPRINT, owner('b', '1'))).toEqual({
			state: undefined,
			reason: 'otherWorkspace',
		});
	});
});

describe('fingerprintOf', () => {
	it('differs for each address, object type and event, and holds none of them', () => {
		const all = ['https://a.example', 'https://b.example'].flatMap((url) =>
			['company', 'order'].flatMap((type) =>
				(['updated_at', 'created_at'] as const).map((field) => fingerprintOf(url, type, field)),
			),
		);
		expect(new Set(all).size).toBe(8);
		for (const one of all) expect(one).toMatch(/^[0-9a-f]{32}$/);
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
