/** Generators for random tests of the trigger and of Sync: simulated services, and changes of their records. */
import fc from 'fast-check';

import { beginLate, create, remove, tick, update, type Change } from './change.mts';
import type { AnyHistory, SettingsStep } from './steps.mts';
import { formats } from './record-text.mts';
import { undatedFirst, undatedLast, type ServiceTraits } from './service-traits.mts';

const DAY_SECONDS = 86_400;
const place = fc.nat({ max: 500 });
const count = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max });
const seconds = fc.constantFrom(0, 0.02, 1, 3, 11, 40, DAY_SECONDS);

/** Generates a change that the list shows at once. */
const plainChange: fc.Arbitrary<Change> = fc.oneof(
	{ weight: 3, arbitrary: count(12).map(create) },
	{ weight: 4, arbitrary: fc.tuple(place, count(15)).map((made) => update(...made)) },
	{ weight: 2, arbitrary: fc.tuple(place, count(6)).map((made) => remove(...made)) },
	// Changes of many records at once. `update(0, 30)` always changes the same 30 records.
	{ weight: 1, arbitrary: fc.constantFrom(create(40), remove(0, 25), update(0, 30)) },
	{ weight: 4, arbitrary: seconds.map(tick) },
);
const HOUR_MS = 3_600_000;
const DECADES = 300_000;
/** Generates a change with a date in the future. The date is one of `hours` ahead of the service's clock. */
const aheadChange = (...hours: [number, ...number[]]): fc.Arbitrary<Change> =>
	fc
		.record({
			aheadMs: fc.constantFrom(...hours).map((one) => one * HOUR_MS),
			place: fc.option(place, { nil: undefined }),
			howMany: count(3),
		})
		.map(({ place: at, howMany, aheadMs }) =>
			at === undefined ? create(howMany, aheadMs) : update(at, howMany, aheadMs),
		);
/** Generates a change. Some changes are late: the list shows them only some time after their date. */
const lateChange: fc.Arbitrary<Change> = fc.oneof(
	{ weight: 8, arbitrary: plainChange },
	{ weight: 3, arbitrary: place.map(beginLate) },
	{ weight: 1, arbitrary: fc.constant<Change>({ do: 'commitLate' }) },
);

/**
 * Returns generators of the events of a test: changes between polls, and changes and failed requests during a poll. For
 * Sync, a run takes the place of a poll.
 */
export function happenings({ datesAdvance, traits: made, event }: AnyHistory) {
	const { cursors, undated } = made;
	// If cursors show a frozen copy of the list, only a larger total shows that records were added. So let such a list
	// only grow.
	const grows = ({ do: what, place = 1 }: Change & { place?: number }): boolean =>
		['create', 'tick', 'commitLate'].includes(what) || (what === 'beginLate' && place % 2 === 1);
	const any = fc.oneof(
		{ weight: 12, arbitrary: datesAdvance ? plainChange : lateChange },
		{
			weight: made.dateFormat === 'day' ? 0 : 1,
			// Use only dates that are decades ahead with `datesAdvance`, because the node treats such dates as missing.
			// With short polls or few remembered versions, the high-water mark could move to a date some hours ahead.
			// The node would then skip changes with earlier dates.
			arbitrary: datesAdvance ? aheadChange(DECADES) : aheadChange(3, 30, 72, DECADES),
		},
	);
	const change = cursors === 'frozen' ? any.filter(grows) : any;
	// If cursors are positions in the list, a record that moves during a poll shifts other records to pages that were
	// already read (docs/maintainers/assumptions.md, A4).
	const areKeys = cursors !== 'position' && cursors !== 'pages';
	// New records also shift other records if the list shows them before the records without a date.
	const areStill = event === 'recordCreated' && undated?.place !== 'last';
	const stays = change.filter((one) => one.do !== 'remove' && one.do !== 'update');
	return {
		change,
		service: fc.oneof(
			fc.constantFrom<Change>({ do: 'refuseCursors' }, { do: 'changeKey' }),
			...otherForms(made),
		),
		faults: fc.oneof(
			{ weight: 3, arbitrary: fc.constant<boolean[]>([]) },
			{ weight: 1, arbitrary: fc.array(fc.boolean(), { maxLength: 6 }) },
		),
		meanwhile:
			areKeys || areStill
				? fc.array(fc.array(areKeys ? change : stays, { maxLength: 2 }), { maxLength: 3 })
				: fc.constant<Change[][]>([]),
	};
}

/**
 * Returns an array with a generator of date format changes. The array is empty if records have no ids or if dates are
 * whole days, because the node would take every record for a new record after such a change.
 */
function otherForms({
	ids,
	dateFormat: now,
	resolutionMs,
}: ServiceTraits): Array<fc.Arbitrary<Change>> {
	if (ids === 'none' || now === 'day') return [];
	const coarse = resolutionMs === 1_000 ? ['day'] : ['day', 'http'];
	const forms = (Object.keys(formats) as Array<keyof typeof formats>).filter(
		(form) => !coarse.includes(form),
	);
	return [fc.constantFrom(...forms.map((form): Change => ({ do: 'otherForm', dateFormat: form })))];
}

/** Generates a change of the credential, the Base URL, Filters, or the package version that wrote the checkpoint. */
export const placeStep = fc.constantFrom<SettingsStep>(
	{ do: 'otherKey' },
	{ do: 'moveAddress' },
	{ do: 'editFilter' },
	{ do: 'otherVersion' },
);

/** Generates the properties of a simulated service. */
const anyTraits: fc.Arbitrary<Omit<ServiceTraits, 'clockAheadMs'>> = fc.record({
	ids: fc.constantFrom('text', 'text', 'number', 'big', 'none'),
	dateFormat: fc.constantFrom(...(Object.keys(formats) as Array<keyof typeof formats>)),
	resolutionMs: fc.constantFrom(1, 1_000),
	undated: fc.constantFrom(undefined, undefined, undefined, undatedFirst, undatedLast),
	cursors: fc.constantFrom(
		...(['key', 'position', 'pages', 'limit', 'seconds', 'poll', 'credential', 'frozen'] as const),
	),
	refusal: fc.constantFrom<ServiceTraits['refusal']>(400, 401, 403, 404, 500, 'unsuccessful'),
	silentPageCap: fc.constantFrom(undefined, undefined, undefined, 2, 60),
	fixedPageSize: fc.constantFrom(undefined, undefined, undefined, 3, 150, 100_000),
	rejectPageSizeAbove: fc.constantFrom(
		...[undefined, undefined, undefined, { size: 25, status: 400 } as const],
	),
	extraRecords: fc.constantFrom(0, 0, 0, 1, 5),
	emptyPages: fc.constantFrom(undefined, undefined, { count: 1, at: 0 }, { count: 2, at: 20 }),
	total: fc.constantFrom<ServiceTraits['total']>(undefined, undefined, 'absent', { factor: 0.5 }),
	trailingCursor: fc.constantFrom<ServiceTraits['trailingCursor']>(
		false,
		true,
		'toEmpty',
		'toItself',
	),
	pageSize: fc.constantFrom<ServiceTraits['pageSize']>(
		1,
		2,
		3,
		7,
		20,
		[1, 4],
		[2, 5, 9],
		[2, 7, 20, 50],
		undefined,
	),
	lookbackMs: fc.constantFrom(0, 2_000, 10_000, 30_000),
});

const CLOCKS_AHEAD_MS = [0, 400, 3_600_000, -90_000];

const traits = anyTraits.map((made): ServiceTraits => {
	const { cursors, refusal, lookbackMs, extraRecords } = made;
	// Use a correct total with cursors that freeze the list or that are positions in the list, because only a correct
	// total shows the node that records were added.
	const total = ['frozen', 'position', 'pages'].includes(cursors) ? undefined : made.total;
	return {
		...made,
		total,
		// Let the last page have a next cursor to itself or to an empty page only if the total is correct. Only a
		// correct total shows that the list ends at this page (docs/maintainers/assumptions.md, A3).
		trailingCursor: total === undefined ? made.trailingCursor : made.trailingCursor !== false,
		resolutionMs:
			{ http: 1_000, day: DAY_SECONDS * 1_000 }[made.dateFormat as string] ?? made.resolutionMs,
		// Let the service accept the page size if the user chose it, because the node then tries no other page size.
		rejectPageSizeAbove: made.pageSize === undefined ? made.rejectPageSizeAbove : undefined,
		// Use HTTP 403 instead of 500 if the service rejects cursors with a different page size. The node reports HTTP
		// 500 as an error, because HTTP 500 can be temporary.
		refusal: cursors === 'limit' && refusal === 500 ? 403 : refusal,
		clockAheadMs:
			CLOCKS_AHEAD_MS[(lookbackMs / 1_000 + (extraRecords ?? 0)) % CLOCKS_AHEAD_MS.length],
	};
});

/** Generates the changes that create the initial records. */
const initial = fc.oneof(
	{ weight: 29, arbitrary: fc.array(plainChange, { maxLength: 8 }) },
	// Generate some lists that are longer than most pages.
	{
		weight: 1,
		arbitrary: fc
			.array(plainChange, { maxLength: 4 })
			.map((changes) => [create(130), tick(1), ...changes, create(3), tick(1)]),
	},
);

/**
 * Generates the common parts of histories (lists of steps) of the trigger and of Sync: the simulated service, its
 * initial records, and the settings.
 */
export const begun: fc.Arbitrary<AnyHistory> = fc
	.record({
		datesAdvance: fc.boolean(),
		traits,
		event: fc.constantFrom('recordCreated', 'recordUpdated'),
		startFrom: fc.constantFrom('now', 'beginning', 'date'),
		initial,
	})
	.map((one) => ({
		...one,
		// Use `recordUpdated` if records have no ids, because the node cannot tell a changed record from a new record.
		event: one.traits.ids === 'none' ? 'recordUpdated' : one.event,
		// Start From: Date needs records whose dates include the time of day.
		startFrom:
			one.traits.dateFormat === 'day' && one.startFrom === 'date' ? 'beginning' : one.startFrom,
	}));
