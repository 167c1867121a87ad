import { describe, expect, it } from 'vitest';

import { readChanges } from '../../../nodes/changes/poll.ts';
import { ServiceFailure, type FailureKind } from '../../../nodes/client/failures.ts';
import { Follower } from './follower.mts';

describe('a failure', () => {
	const pollUntil = (
		kind: FailureKind,
		room: number,
		{
			count = 1,
			startFrom = 'beginning',
			mayContinue,
		}: { count?: number; startFrom?: 'now' | 'beginning'; mayContinue?: () => boolean } = {},
	) => {
		const { service, state } = new Follower({}, startFrom).fill(300);
		const reader = service.reader(null);
		let read = 0;
		async function* pages() {
			for await (const page of reader.pages(undefined)) {
				yield page;
				if (++read === count) throw new ServiceFailure(kind);
			}
		}
		const settings = { overlapMs: 30_000, now: service.localTime, room: () => room, mayContinue };
		return readChanges(state, { ...reader, pages }, settings);
	};

	it.each([
		[1, true, false],
		[2, false, false],
		[2, true, true],
	])(
		'where nothing is new is a note after page %i only where another poll follows: %s',
		async (count, polls, isNote) => {
			const mayContinue = polls ? () => true : undefined;
			const first = pollUntil('timeout', 9, { count, startFrom: 'now', mayContinue }).next();
			if (isNote) expect((await first).value).toMatchObject({ records: [], reachedEnd: false });
			else await expect(first).rejects.toMatchObject({ kind: 'timeout' });
		},
	);

	const ofList = ['incompleteList', 'repeatedPage', 'notAscending'] as const;
	it.each(['cancelled', ...ofList, 'tooManyUndated'] as const)(
		'is thrown where it is %s',
		async (kind) => {
			await expect(pollUntil(kind, 1_000).next()).rejects.toMatchObject({ kind });
		},
	);

	it.each([
		[1_000, [100]],
		[100, [100, 0]],
		[60, [60, 40]],
	])(
		'is a note otherwise, also where all was given before it (%i at once)',
		async (room, given) => {
			const portions = [];
			for await (const one of pollUntil('timeout', room)) portions.push(one);
			expect(portions.map(({ records }) => records.length)).toEqual(given);
			const failure = { kind: 'timeout' };
			expect(portions.at(-1)?.notes).toMatchObject([{ kind: 'stoppedEarly', failure }]);
		},
	);
});
