import { describe, expect, it } from 'vitest';

import { openReading } from '../../../nodes/changes/open.ts';
import type { Reader, VersionedPage } from '../../../nodes/changes/reader.ts';
import type { State } from '../../../nodes/changes/state.ts';
import { ServiceFailure, type FailureFacts } from '../../../nodes/client/failures.ts';
import { digestOf, type Version } from '../../../nodes/lists/version.ts';
import { stateAt } from './follower.mts';

const WATERMARK = 1_000;
const LATER = 3_000;
const [other, seenAtWatermark, seen, begins] = ['other', 'behind', 'seen', 'begins'].map(digestOf);
const pageWith = (...versions: Version[]) => ({ versions }) as VersionedPage;

/** Begins at a saved cursor that leads to these pages, or to an error. Gives how many pages are read from there on. */
async function open(pages: VersionedPage[] | Error, known: Partial<State> = {}) {
	const state = {
		...stateAt('now'),
		...{ watermark: WATERMARK, seenAtWatermark, seen },
		savedCursors: [{ cursor: 'c', limit: 100, first: begins }],
		...known,
	};
	const reader = {
		pages: async function* (from: unknown) {
			if (from === undefined) return;
			if (pages instanceof Error) throw pages;
			yield* pages;
		},
	};
	const opened = await openReading(state, reader as unknown as Reader);
	let pagesRead = 0;
	for await (const page of opened.pages) pagesRead += Number(page === pages[pagesRead as never]);
	return { from: opened.from?.cursor, notes: opened.notes, pagesRead };
}

const moved = { from: undefined, notes: [{ kind: 'cursorMoved' }], pagesRead: 0 };

describe('a saved cursor leads to the place where its first record', () => {
	it.each([
		['is older than the watermark', other, WATERMARK - 1, true],
		['is of the watermark, and was not dealt with', other, WATERMARK, false],
		['is of the watermark, and was dealt with', seenAtWatermark, WATERMARK, true],
		['is the one that it led to before', begins, LATER, true],
		['is a later one that is known', seen, LATER, false],
		['is not known', other, LATER, false],
		['has no date', begins, null, false],
	])('%s', async (_name, digest, time, isBelieved) => {
		const pages = [pageWith(), pageWith({ digest, time }), pageWith({ digest, time })];
		const led = { from: 'c', notes: [], pagesRead: 3 };
		expect(await open(pages)).toEqual(isBelieved ? led : moved);
	});

	it('is none at all: no', async () => {
		expect(await open([pageWith()])).toEqual(moved);
		expect(await open([])).toEqual(moved);
	});

	it('is known, and no watermark is', async () => {
		const pages = [pageWith({ digest: other, time: -1 })];
		expect(await open(pages, { watermark: null })).toEqual(moved);
	});

	it('is not asked for: there is no saved cursor', async () => {
		expect(await open([], { savedCursors: [] })).toEqual({ ...moved, notes: [] });
	});
});

describe('a failure at a saved cursor', () => {
	const place = { nextCursor: 'c', recordsRead: 7 };

	it.each<[ServiceFailure['kind'], FailureFacts]>([
		['cancelled', {}],
		['blocked', {}],
		['notSent', {}],
		['insecure', {}],
		['connectionLost', {}],
		['status', { statusCode: 429 }],
		['status', { statusCode: 503, gaveUp: 'waitTooLong' }],
		['status', { statusCode: 503, gaveUp: 'waitUsed' }],
	])('says nothing of it (%s, %j), and is thrown without its place', async (kind, facts) => {
		const failed = open(new ServiceFailure(kind, { ...facts, ...place }));
		const without = { nextCursor: undefined, recordsRead: undefined };
		await expect(failed).rejects.toMatchObject({ kind, facts: { ...facts, ...without } });
	});

	it.each<[ServiceFailure['kind'], number | undefined]>([
		['status', undefined],
		['timeout', undefined],
		['incompleteList', 7],
	])(
		'refuses it otherwise (%s): the list is read from its beginning',
		async (kind, recordsRead) => {
			const { notes, ...rest } = await open(
				new ServiceFailure(kind, { statusCode: 500, ...place, gaveUp: 'retriesUsed' }),
			);
			expect(rest).toEqual({ from: undefined, pagesRead: 0 });
			const facts = { statusCode: 500, recordsRead, nextCursor: undefined };
			expect(notes).toMatchObject([{ kind: 'cursorRefused', failure: { kind, facts } }]);
			expect(notes).toHaveLength(1);
		},
	);

	it('that is none of the service is thrown as it is', async () => {
		const error = new RangeError('other');
		await expect(open(error)).rejects.toBe(error);
	});
});
