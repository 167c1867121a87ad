import type { ServiceTraits } from './service.mts';
import type { History, Step } from './steps.mts';

/** A poll that is not disturbed but for what is given. */
function poll(more: Partial<Step & { do: 'poll' }> = {}): Step {
	return { do: 'poll', pages: Infinity, faults: [], meanwhile: [], crash: false, ...more };
}

const TRAITS: ServiceTraits = {
	ids: 'text',
	dateFormat: 'iso',
	resolutionMs: 1,
	undated: 'last',
	cursors: 'key',
	refusal: 400,
	mostOnPage: Infinity,
	largestLimit: Infinity,
	extraOnPage: 0,
	emptyFirst: false,
	trailingCursor: false,
	pageSize: 1,
	overlapMs: 0,
	clockAheadMs: 0,
};

/** What most of them share: a service with records without a date, and polls that are too short. */
const SHORT_POLLS: Omit<History, 'initial' | 'steps'> = {
	traits: TRAITS,
	event: 'recordCreated',
	startFrom: 'now',
	durable: true,
	maxRecordsPerPoll: 1,
	mostRemembered: 4,
	datesAdvance: true,
};

/** Histories that failed once, too rare to be met with the usual seed: the model's test begins with them. */
export const foundHistories: readonly History[] = [
	// Of many records without a date, only some were remembered: a poll that stopped among them forgot the others.
	{
		...SHORT_POLLS,
		initial: [],
		steps: [
			{ do: 'create', count: 7 },
			poll({ pages: 1, meanwhile: [[{ do: 'create', count: 7 }]], crash: true }),
			poll(),
			{ do: 'restart' },
			{ do: 'remove', place: 0, count: 1 },
			poll({
				pages: 1,
				meanwhile: [
					[{ do: 'create', count: 1 }],
					[
						{ do: 'create', count: 12 },
						{ do: 'remove', place: 395, count: 3 },
					],
				],
			}),
			{ do: 'create', count: 1 },
		],
	},
	// The same where more of them came before those that were remembered.
	{
		...SHORT_POLLS,
		traits: { ...TRAITS, pageSize: 3 },
		initial: [],
		steps: [
			{ do: 'create', count: 10 },
			poll({ meanwhile: [[{ do: 'update', place: 116, count: 3 }]] }),
			poll({ pages: 1 }),
			poll({ pages: 1, meanwhile: [[{ do: 'create', count: 5 }]] }),
			{ do: 'create', count: 12 },
			poll({ pages: 1, crash: true }),
			{ do: 'remove', place: 450, count: 2 },
		],
	},
	// The same with pages that hold more than was remembered.
	{
		...SHORT_POLLS,
		traits: { ...TRAITS, pageSize: 229 },
		maxRecordsPerPoll: 1_000,
		initial: [],
		steps: [
			{ do: 'create', count: 645 },
			poll(),
			poll({ pages: 1 }),
			{ do: 'remove', place: 110, count: 91 },
			{ do: 'create', count: 232 },
			poll({ pages: 1 }),
			{ do: 'create', count: 192 },
		],
	},
	// All records without a date that were remembered were removed, and those after them did not tell where they had been.
	{
		...SHORT_POLLS,
		traits: { ...TRAITS, undated: 'first' },
		mostRemembered: 2_000,
		initial: [
			{ do: 'create', count: 130 },
			{ do: 'tick', seconds: 1 },
			{ do: 'create', count: 3 },
			{ do: 'tick', seconds: 1 },
		],
		steps: [
			poll({ meanwhile: [[{ do: 'create', count: 10 }]] }),
			{ do: 'create', count: 1 },
			{ do: 'update', place: 164, count: 10 },
			{ do: 'create', count: 7 },
			poll({
				pages: 2,
				meanwhile: [
					[{ do: 'update', place: 0, count: 9 }],
					[
						{ do: 'update', place: 397, count: 10 },
						{ do: 'remove', place: 212, count: 5 },
					],
				],
			}),
			poll({ pages: 1, meanwhile: [[{ do: 'update', place: 267, count: 3 }]], crash: true }),
			{ do: 'tick', seconds: 0 },
			poll({ pages: 1, crash: true }),
		],
	},
	// All of them got a date while the list was still read for the first time.
	{
		...SHORT_POLLS,
		traits: { ...TRAITS, pageSize: 2 },
		initial: [
			{ do: 'create', count: 4 },
			{ do: 'create', count: 11 },
		],
		steps: [
			{ do: 'remove', place: 0, count: 2 },
			poll({ pages: 3 }),
			poll({ pages: 3 }),
			{ do: 'update', place: 1, count: 9 },
			{ do: 'update', place: 0, count: 1 },
			{ do: 'restart' },
			{ do: 'create', count: 1 },
		],
	},
	{
		...SHORT_POLLS,
		traits: { ...TRAITS, pageSize: 2 },
		initial: [
			{ do: 'create', count: 5 },
			{ do: 'create', count: 11 },
		],
		steps: [
			{ do: 'remove', place: 0, count: 2 },
			poll({ pages: 3 }),
			poll({ pages: 3 }),
			{ do: 'update', place: 1, count: 9 },
			{ do: 'create', count: 1 },
			{ do: 'update', place: 0, count: 1 },
			{ do: 'restart' },
			{ do: 'create', count: 8 },
		],
	},
	// The model itself took a late change of a record without a date for a new record, and set its date back.
	{
		...SHORT_POLLS,
		traits: { ...TRAITS, ids: 'none', overlapMs: 30_000 },
		event: 'recordUpdated',
		mostRemembered: 2_000,
		datesAdvance: false,
		initial: [{ do: 'create', count: 3 }],
		steps: [
			poll({ meanwhile: [[{ do: 'beginLate', place: 284 }]], crash: true }),
			{ do: 'tick', seconds: 3 },
			{ do: 'update', place: 0, count: 3 },
			poll(),
			{ do: 'commitLate' },
			{ do: 'update', place: 0, count: 1 },
			poll({ crash: true }),
			{ do: 'update', place: 0, count: 3 },
			{ do: 'beginLate', place: 0 },
		],
	},
	// Where cursors count pages: as many records had left the pages before as late ones had come there, so the cursor led to
	// the same record as before, and one that had come late stood before it.
	{
		...SHORT_POLLS,
		traits: {
			...TRAITS,
			dateFormat: 'milliseconds',
			undated: 'none',
			cursors: 'pages',
			refusal: 'unsuccessful',
			largestLimit: 20,
			pageSize: [2, 5, 9],
			overlapMs: 30_000,
		},
		event: 'recordUpdated',
		startFrom: 'date',
		mostRemembered: 2_000,
		datesAdvance: false,
		initial: [
			{ do: 'create', count: 4 },
			{ do: 'tick', seconds: 1 },
			{ do: 'create', count: 1 },
		],
		steps: [
			{ do: 'beginLate', place: 7 },
			{ do: 'tick', seconds: 1 },
			{ do: 'beginLate', place: 0 },
			poll(),
			{ do: 'refuseCursors' },
			poll(),
		],
	},
	// A record older than the start's date had been the first that the cursor led to, and then the first remembered one was.
	{
		...SHORT_POLLS,
		traits: {
			...TRAITS,
			undated: 'none',
			cursors: 'pages',
			largestLimit: 20,
			pageSize: [2, 5, 9],
			overlapMs: 30_000,
		},
		event: 'recordUpdated',
		startFrom: 'date',
		mostRemembered: 2_000,
		datesAdvance: false,
		initial: [
			{ do: 'create', count: 9 },
			{ do: 'tick', seconds: 1 },
			{ do: 'create', count: 1 },
		],
		steps: [
			{ do: 'beginLate', place: 0 },
			{ do: 'tick', seconds: 1 },
			{ do: 'beginLate', place: 12 },
			poll(),
			{ do: 'refuseCursors' },
			poll(),
		],
	},
	// Nothing newer came, and what came late stood before the page that the shortcut led to.
	{
		...SHORT_POLLS,
		traits: {
			...TRAITS,
			ids: 'none',
			dateFormat: 'zoneless',
			undated: 'none',
			cursors: 'position',
			refusal: 404,
			mostOnPage: 2,
			pageSize: [2, 7, 20, 50],
		},
		event: 'recordUpdated',
		startFrom: 'now',
		durable: true,
		maxRecordsPerPoll: 1,
		mostRemembered: 2_000,
		datesAdvance: false,
		initial: [{ do: 'create', count: 10 }],
		steps: [
			{ do: 'tick', seconds: 40 },
			{ do: 'update', place: 0, count: 2 },
			poll(),
			{ do: 'restart' },
			poll(),
			{ do: 'beginLate', place: 138 },
		],
	},
];
