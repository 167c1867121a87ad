import { beginLate, create, remove, tick, update } from './change.mts';
import { undatedFirst, undatedLast } from './service-traits.mts';
import { historyOf, poll, type History, type Step } from './steps.mts';

/** What two of them share: a service with records without a date, and polls that are too short. */
const shortPolls = ({ traits, ...more }: Parameters<typeof historyOf>[0]): History =>
	historyOf({
		traits: { undated: undatedLast, pageSize: 1, lookbackMs: 0, ...traits },
		event: 'recordCreated',
		maxRecordsPerPoll: 1,
		maxRemembered: 4,
		datesAdvance: true,
		...more,
	});

/** Histories that failed once, too rare to be met with the usual seed: the model's test begins with them. */
export const foundHistories: readonly History[] = [
	// All records without a date that were remembered were removed, and those after them did not tell where they had been.
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
	// All of them got a date while the list was still read for the first time.
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
	// Where cursors count pages: as many records had left the pages before as late ones had come there, so the cursor led to
	// the same record as before, and one that had come late stood before it.
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
	// Nothing newer came, and what came late stood before the page that the saved cursor led to.
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
	// An import of one date, longer than a poll, whose records are changed by the workflow: those that were remembered of it
	// were gone, and what came before the end of that date was taken for known.
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
	// As many records left the pages before the bookmark as led the saved cursor past one that had come late.
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
	// What a saved cursor had led past was forgotten, and came again with the next reading from the beginning.
	historyOf({
		traits: { cursors: 'position', pageSize: 500 },
		initial: [create(500)],
		steps: [
			...[poll(), tick(60), create(450), tick(40), create(50), poll()],
			...[remove(0, 400), poll(), { do: 'refuseCursors' } as const],
		],
	}),
	// What came late moved itself past a newer record, on to the next page, and was taken for a list that goes down.
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
];
