import { describe, expect, it } from 'vitest';

import { openReading } from '../../../nodes/changes/open.ts';
import type { Reader, VersionedPage } from '../../../nodes/changes/reader.ts';
import type { State } from '../../../nodes/changes/state.ts';
import { ServiceFailure, type FailureFacts } from '../../../nodes/client/failures.ts';
import { digestOf, type Version } from '../../../nodes/lists/version.ts';
import { stateAt } from './follower.mts';

const WATERMARK = 1_000;
const LATER = 3_000;
const [unknown, atWatermark, later, first] = ['unknown', 'atWatermark', 'later', 'first'].map(
	digestOf,
);
const pageWith = (...versions: Version[]) => ({ versions }) as VersionedPage;

/** Begins at a saved cursor that leads to these pages, or to an error. */
async function open(pagesThere: VersionedPage[] | Error, known: Partial<State> = {}) {
	const state = {
		...stateAt('now'),
		...{ watermark: WATERMARK, seenAtWatermark: atWatermark, seen: later },
		savedCursors: [{ cursor: 'c', limit: 100, first }],
		...known,
	};
	const reader = {
		pages: async function* (from: unknown) {
			if (from === undefined) return;
			if (pagesThere instanceof Error) throw pagesThere;
			yield* pagesThere;
		},
	};
	const opened = await openReading(state, reader as unknown as Reader);
	const pages: VersionedPage[] = [];
	for await (const page of opened.pages) pages.push(page);
	return { from: opened.from?.cursor, notes: opened.notes, pages };
}

/** The cursor is not believed: the list is read from its beginning. */
const moved = { from: undefined, notes: [{ kind: 'cursorMoved' }], pages: [] };

describe('a saved cursor', () => {
	it.each([
		{ record: 'before the watermark', digest: unknown, time: WATERMARK - 1, isUsed: true },
		{ record: 'remembered at the watermark', digest: atWatermark, time: WATERMARK, isUsed: true },
		{ record: 'not remembered at the watermark', digest: unknown, time: WATERMARK, isUsed: false },
		{ record: 'that it led to before', digest: first, time: LATER, isUsed: true },
		{ record: 'remembered after the watermark', digest: later, time: LATER, isUsed: false },
		{ record: 'not remembered after the watermark', digest: unknown, time: LATER, isUsed: false },
		{ record: 'without a date', digest: first, time: null, isUsed: false },
	])('whose first record is one $record is used: $isUsed', async ({ digest, time, isUsed }) => {
		const pages = [pageWith(), pageWith({ digest, time }), pageWith({ digest: 'next', time })];
		expect(await open(pages)).toEqual(isUsed ? { from: 'c', notes: [], pages } : moved);
	});

	it.each([{ pages: [] }, { pages: [pageWith()] }])(
		'is not used where it leads to no record: %j',
		async ({ pages }) => {
			expect(await open(pages)).toEqual(moved);
		},
	);

	it('is not used where it leads to another record than before and there is no watermark', async () => {
		const pages = [pageWith({ digest: unknown, time: -1 })];
		expect(await open(pages, { watermark: null })).toEqual(moved);
	});
});

it('where no cursor is saved, the list is read from its beginning without a note', async () => {
	expect(await open([], { savedCursors: [] })).toEqual({ ...moved, notes: [] });
});

describe('a failure at a saved cursor', () => {
	const position = { nextCursor: 'c', recordsRead: 7 };

	it.each<{ kind: ServiceFailure['kind']; facts?: FailureFacts }>([
		{ kind: 'cancelled' },
		{ kind: 'blocked' },
		{ kind: 'notSent' },
		{ kind: 'insecure' },
		{ kind: 'connectionLost' },
		{ kind: 'status', facts: { statusCode: 429 } },
		{ kind: 'status', facts: { statusCode: 503, gaveUp: 'waitTooLong' } },
		{ kind: 'status', facts: { statusCode: 503, gaveUp: 'waitUsed' } },
	])('that says nothing of it is thrown without its position: %j', async ({ kind, facts }) => {
		const failed = open(new ServiceFailure(kind, { ...facts, ...position }));
		const without = { nextCursor: undefined, recordsRead: undefined };
		await expect(failed).rejects.toMatchObject({ kind, facts: { ...facts, ...without } });
	});

	it.each<{ kind: ServiceFailure['kind']; recordsRead?: number }>([
		{ kind: 'status' },
		{ kind: 'timeout' },
		{ kind: 'incompleteList', recordsRead: 7 },
	])(
		'of another kind has the list read from its beginning, and is told in a note: $kind',
		async ({ kind, recordsRead }) => {
			const facts = { statusCode: 500, ...position, gaveUp: 'retriesUsed' } as const;
			const { notes, ...rest } = await open(new ServiceFailure(kind, facts));
			expect(rest).toEqual({ from: undefined, pages: [] });
			const told = { statusCode: 500, recordsRead, nextCursor: undefined };
			expect(notes).toMatchObject([{ kind: 'cursorRefused', failure: { kind, facts: told } }]);
		},
	);

	it("that is not the service's is thrown as it is", async () => {
		const error = new RangeError('other');
		await expect(open(error)).rejects.toBe(error);
	});
});
