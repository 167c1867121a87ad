/** What random histories of a service are made of; those of the trigger and of Sync. */
import fc from 'fast-check';

import type { Change } from './change.mts';
import type { ServiceTraits } from './service.mts';

const place = fc.nat({ max: 500 });
/** A change that is seen at once. */
export const plainChange: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('create' as const),
			count: fc.integer({ min: 1, max: 12 }),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('update' as const),
			place,
			count: fc.integer({ min: 1, max: 15 }),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('remove' as const),
			place,
			count: fc.integer({ min: 1, max: 6 }),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('tick' as const),
			seconds: fc.constantFrom(0, 0.02, 1, 3, 11, 40),
		}),
	},
);
/** A change that is seen later than its date says. */
export const lateChange: fc.Arbitrary<Change> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('beginLate' as const), place }) },
	{ weight: 1, arbitrary: fc.constant({ do: 'commitLate' as const }) },
);

/** How services differ. */
const anyTraits: fc.Arbitrary<Omit<ServiceTraits, 'clockAheadMs'>> = fc.record({
	ids: fc.constantFrom('text', 'text', 'number', 'big', 'none'),
	dateFormat: fc.constantFrom(
		'iso',
		'zoneless',
		'seconds',
		'milliseconds',
		'microseconds',
		'nanoseconds',
	),
	resolutionMs: fc.constantFrom(1, 1_000),
	undated: fc.constantFrom('none', 'none', 'none', 'first', 'last'),
	cursors: fc.constantFrom('key', 'position', 'pages', 'limit', 'seconds', 'poll', 'credential'),
	refusal: fc.constantFrom<ServiceTraits['refusal']>(400, 401, 403, 404, 500, 'unsuccessful'),
	mostOnPage: fc.constantFrom(Infinity, Infinity, Infinity, 2, 60),
	alwaysOnPage: fc.constantFrom(undefined, undefined, undefined, 3, 150, 100_000),
	largestLimit: fc.constantFrom(Infinity, Infinity, Infinity, 20),
	extraOnPage: fc.constantFrom(0, 0, 0, 1, 5),
	emptyFirst: fc.constantFrom(false, false, true),
	trailingCursor: fc.boolean(),
	pageSize: fc.constantFrom<ServiceTraits['pageSize']>(
		1,
		2,
		3,
		7,
		20,
		[1, 4],
		[2, 5, 9],
		[2, 7, 20, 50],
		[100, 500, 1_000],
	),
	overlapMs: fc.constantFrom(0, 2_000, 10_000, 30_000),
});

const CLOCKS_AHEAD_MS = [0, 400, 3_600_000, -90_000];

export const traits = anyTraits.map((made): ServiceTraits => {
	const { cursors, refusal, overlapMs, extraOnPage } = made;
	return {
		...made,
		// A failure of a page that is asked for by another limit is an error, since it may be one for a time.
		refusal: cursors === 'limit' && refusal === 500 ? 403 : refusal,
		clockAheadMs: CLOCKS_AHEAD_MS[(overlapMs / 1_000 + extraOnPage) % CLOCKS_AHEAD_MS.length],
	};
});

/** What exists at the beginning. */
export const initial = fc.oneof(
	{ weight: 29, arbitrary: fc.array(plainChange, { maxLength: 8 }) },
	// More than a page of the first size.
	{
		weight: 1,
		arbitrary: fc
			.array(plainChange, { maxLength: 4 })
			.map((changes): Change[] => [
				{ do: 'create', count: 130 },
				{ do: 'tick', seconds: 1 },
				...changes,
				{ do: 'create', count: 3 },
				{ do: 'tick', seconds: 1 },
			]),
	},
);
