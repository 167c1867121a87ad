import { describe, expect, it } from 'vitest';

import { readChanges, type Batch } from '../../../../nodes/shared/changes/poll.ts';
import { cursorRefused, stoppedEarly } from '../../../../nodes/shared/changes/notices.ts';
import {
	ServiceFailure,
	type FailureFacts,
	type FailureKind,
} from '../../../../nodes/shared/client/failures.ts';
import { Follower } from './follower.mts';

describe('a failure after the first pages of a poll', () => {
	const pollUntil = (
		kind: FailureKind,
		maxPerBatch: number,
		{
			count = 1,
			startFrom = 'beginning',
			hasTimeLeft,
		}: { count?: number; startFrom?: 'now' | 'beginning'; hasTimeLeft?: () => boolean } = {},
	) => {
		const { service, checkpoint } = new Follower({ pageSize: 100 }, startFrom).fill(300);
		const reader = service.reader();
		let read = 0;
		async function* pages() {
			for await (const page of reader.pages(undefined)) {
				yield page;
				if (++read === count) throw new ServiceFailure(kind);
			}
		}
		const limits = { maxRecords: Infinity, maxPerBatch, hasTimeLeft };
		const settings = { lookbackMs: 30_000, now: service.localTime, ...limits };
		return readChanges(checkpoint, { ...reader, pages }, settings);
	};

	// If the pages read so far have no new records, the poll throws the failure, unless it has read two pages and
	// another poll follows.
	it.each([
		[1, true, false],
		[2, false, false],
		[2, true, true],
	])(
		'decides whether a failure after page %i without new records is only a notice (another poll follows: %s): %s',
		async (count, polls, isNote) => {
			const hasTimeLeft = polls ? () => true : undefined;
			const first = pollUntil('timeout', 9, { count, startFrom: 'now', hasTimeLeft }).next();
			if (isNote) expect((await first).value).toMatchObject({ records: [], reachedEnd: false });
			else await expect(first).rejects.toMatchObject({ kind: 'timeout' });
		},
	);

	it.each(['cancelled', 'repeatedPage'] as const)(
		'throws the failure "%s" instead of reporting it as a notice',
		async (kind) => {
			const all = async () => {
				for await (const { notices } of pollUntil(kind, 1_000)) expect(notices).toEqual([]);
			};
			await expect(all()).rejects.toMatchObject({ kind });
		},
	);

	it.each([
		[1_000, [100, 0]],
		[100, [100, 0]],
		[60, [60, 40, 0]],
	])(
		'reports a timeout after the first page as a notice of the last batch (at most %i records per batch)',
		async (room, given) => {
			const batches = [];
			for await (const one of pollUntil('timeout', room)) batches.push(one);
			expect(batches.map(({ records }) => records.length)).toEqual(given);
			const failure = new ServiceFailure('timeout');
			expect(batches.at(-1)?.notices).toEqual([stoppedEarly(failure)]);
		},
	);
});

it('throws while the list has fewer records than its total, and returns each record once afterwards', async () => {
	const follower = new Follower({ rowCap: 50 }, 'beginning').fill(200);
	for (let polls = 0; polls < 2; polls++)
		await expect(follower.poll()).rejects.toMatchObject({ kind: 'incompleteList' });
	follower.service.quirks.rowCap = undefined;
	const { visible } = follower.service.versionsNow();
	expect((await follower.pollAll()).names.toSorted()).toEqual(visible.toSorted());
});

it.each([1, 100])('throws for a list in descending order (page size %i)', async (pageSize) => {
	const follower = new Follower({ descending: true, pageSize }).fill(300);
	await expect(follower.poll()).rejects.toMatchObject({ kind: 'notAscending' });
});

describe('a failed request with a saved cursor', () => {
	const pollWith = async (failure: ServiceFailure) => {
		const follower = await new Follower({ pageSize: 50 }).fill(300).settle();
		const { service, checkpoint } = follower;
		expect(checkpoint.savedCursors).not.toEqual([]);
		service.create(3);
		const reader = service.reader(50);
		const settings = { lookbackMs: 30_000, now: service.localTime, maxRecords: 1_000 };
		async function* pages(from: Parameters<typeof reader.pages>[0]) {
			if (from !== undefined) throw failure;
			yield* reader.pages(from);
		}
		return (await readChanges(checkpoint, { ...reader, pages }, settings).next()).value;
	};
	const position = { nextCursor: 'c', recordsRead: 7 };

	it.each<[FailureKind, FailureFacts]>([
		['cancelled', {}],
		['blocked', {}],
		['notSent', {}],
		['insecure', {}],
		['connectionLost', {}],
		['status', { statusCode: 429 }],
		['status', { statusCode: 503, gaveUp: 'waitTooLong' }],
		['status', { statusCode: 503, gaveUp: 'waitUsed' }],
	])(
		'throws a failure that does not prove that the saved cursor is invalid, without naming a cursor: %s %j',
		async (kind, facts) => {
			const without = { nextCursor: undefined, recordsRead: undefined };
			const failed = pollWith(new ServiceFailure(kind, { ...facts, ...position }));
			await expect(failed).rejects.toMatchObject({ kind, facts: { ...facts, ...without } });
		},
	);

	it.each<[FailureKind]>([['status'], ['timeout'], ['incompleteList']])(
		'reads from the beginning of the list and finds all new records if the saved cursor fails with "%s"',
		async (kind) => {
			const facts = { statusCode: 500, ...position, gaveUp: 'retriesUsed' } as const;
			const { records, notices } = (await pollWith(new ServiceFailure(kind, facts))) as Batch;
			expect(records).toHaveLength(3);
			expect(notices).toEqual([cursorRefused(new ServiceFailure(kind, facts))]);
		},
	);
});
