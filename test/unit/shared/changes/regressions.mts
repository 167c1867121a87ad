import { beginLate, create, remove, tick, update } from './change.mts';
import { undatedFirst, undatedLast } from './service-traits.mts';
import { historyOf, poll, type History, type Step } from './steps.mts';

/**
 * Returns a history (a list of steps) with polls that are too short to read the list, and with records without a date.
 */
const shortPolls = ({ traits, ...more }: Parameters<typeof historyOf>[0]): History =>
	historyOf({
		traits: { undated: undatedLast, pageSize: 1, lookbackMs: 0, ...traits },
		event: 'recordCreated',
		maxRecordsPerPoll: 1,
		maxRemembered: 4,
		datesAdvance: true,
		...more,
	});

/**
 * Histories (lists of steps) that revealed errors. The random test plays them first, because it rarely generates such
 * cases.
 */
export const foundHistories: readonly History[] = [
	// All remembered undated records were deleted, so the trigger could not tell from the next records at which
	// position to continue.
	shortPolls({
		traits: { undated: undatedFirst },
		maxRemembered: 2_000,
		initial: [create(130), tick(1), create(3), tick(1)],
		steps: [
			poll({ meanwhile: [[create(10)]] }),
			create(1),
			update(164, 10),
			create(7),
			poll({ pages: 2, meanwhile: [[update(0, 9)], [update(397, 10), remove(212, 5)]] }),
			poll({ pages: 1, meanwhile: [[update(267, 3)]], crash: true }),
			tick(0),
			poll({ pages: 1, crash: true }),
		],
	}),
	// All records without a date got a date during the first reading of the list.
	shortPolls({
		traits: { pageSize: 2 },
		initial: [create(4), create(11)],
		steps: [
			remove(0, 2),
			poll({ pages: 3 }),
			poll({ pages: 3 }),
			update(1, 9),
			update(0, 1),
			create(1),
		],
	}),
	// Cursors are page numbers. Late records were added before the page of the saved cursor, and as many records moved
	// from there to the end of the list. So the cursor led to the same record as before, although the node had not read
	// the late records yet.
	historyOf({
		traits: {
			dateFormat: 'milliseconds',
			cursors: 'pages',
			refusal: 'unsuccessful',
			rejectPageSizeAbove: { size: 25, status: 400 },
			pageSize: [2, 5, 9],
		},
		startFrom: 'date',
		maxRecordsPerPoll: 1,
		initial: [create(4), tick(1), create(1)],
		steps: [beginLate(7), tick(1), beginLate(0), poll(), { do: 'refuseCursors' }, poll()],
	}),
	// A late record was added before the page of the saved cursor, and no newer record was added.
	historyOf({
		traits: {
			ids: 'none',
			dateFormat: 'zoneless',
			cursors: 'position',
			refusal: 404,
			silentPageCap: 2,
			pageSize: [2, 7, 20, 50],
			lookbackMs: 0,
		},
		maxRecordsPerPoll: 1,
		initial: [create(10)],
		steps: [tick(40), update(0, 2), poll(), poll(), beginLate(138)],
	}),
	// An import gave the same date to more records than a poll reads, and the workflow changed the returned records.
	// The list then no longer had the versions that the node remembered, so the node mistook unread versions with this
	// date for returned versions.
	historyOf({
		traits: { pageSize: 3, lookbackMs: 0 },
		startFrom: 'beginning',
		maxRemembered: 4,
		datesAdvance: true,
		steps: [
			create(40),
			...[1, 2, 3, 4].flatMap((): Step[] => [poll({ pages: 3 }), { do: 'writeBack' }]),
		],
	}),
	// Cursors are positions in the list. Records before the saved cursor were deleted, so the cursor led past a late
	// record that the node had not read yet.
	historyOf({
		traits: { cursors: 'position', pageSize: 20 },
		event: 'recordCreated',
		initial: [create(100)],
		steps: [
			...[poll(), tick(60), poll(), beginLate(1), tick(1), create(45)],
			poll({ meanwhile: [[], [tick(20), { do: 'commitLate' }, tick(25), create(5)]] }),
			...[remove(0, 22), poll()],
		],
	}),
	// The node forgot records that a saved cursor had skipped, and returned these records again when it next read the
	// whole list.
	historyOf({
		traits: { cursors: 'position', pageSize: 500 },
		initial: [create(500)],
		steps: [
			...[poll(), tick(60), create(450), tick(40), create(50), poll()],
			...[remove(0, 400), poll(), { do: 'refuseCursors' } as const],
		],
	}),
	// A late record moved to the next page, behind a newer record, so the node wrongly reported a list in descending
	// order.
	historyOf({
		traits: { cursors: 'pages', pageSize: [2, 5, 9], lookbackMs: 10_000 },
		event: 'recordCreated',
		maxRecordsPerPoll: 2,
		initial: [create(40), remove(0, 25)],
		steps: [
			...[create(2), beginLate(0), poll({ meanwhile: [[tick(3), beginLate(0)]] })],
			...[poll({ meanwhile: [[tick(3), create(2)], [{ do: 'commitLate' }]] }), poll(), poll()],
		],
	}),
	// A poll found new records, and then had to read the list again from its beginning. The first request of this
	// second reading failed, and the poll ended with a TypeError.
	historyOf({
		traits: {
			dateFormat: 'microseconds',
			undated: undatedFirst,
			cursors: 'seconds',
			refusal: 404,
			fixedPageSize: 3,
			emptyPages: { count: 2, at: 20 },
			total: undefined,
			trailingCursor: 'toEmpty',
			pageSize: [2, 5, 9],
			lookbackMs: 2_000,
			clockAheadMs: 3_600_000,
		},
		startFrom: 'beginning',
		maxRemembered: 4,
		datesAdvance: true,
		initial: [tick(40), create(6), tick(0), tick(0), tick(1), tick(0)],
		steps: [
			...[create(9), poll(), { do: 'writeBack' } as const],
			...[poll({ pages: 1 }), { do: 'writeBack' } as const, update(0, 10), create(3)],
			poll({ pages: 5, faults: [false, false, true] }),
			...[{ do: 'writeBack' } as const, poll({ pages: 1 }), { do: 'writeBack' } as const],
		],
	}),
];
