/** How the settings of the unkind sandbox are drawn: what each may be, and how often where. */
import fc from 'fast-check';
import type { Unkindness } from '../../sandbox/types.mts';

/** What goes by the clock cannot be played again. */
export type SettingName = Exclude<keyof Unkindness, 'cursorLifeMs'>;

/** Stands for the address of the service that the test has moved to: a drawn history must not change with a port. */
const movedTo = 'http://moved.example';

type Drawn = { [Name in SettingName]-?: fc.Arbitrary<NonNullable<Unkindness[Name]>> };

const settings: Drawn = {
	// Windows are short, since the waits are real; a Retry-After is a whole second, so it is rare.
	rateLimit: fc.record({
		algorithm: fc.constantFrom('tokenBucket', 'fixedWindow', 'slidingWindow'),
		requests: fc.integer({ min: 1, max: 6 }),
		windowMs: fc.integer({ min: 15, max: 50 }),
		retryAfter: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
	}),
	dailyQuota: fc.integer({ min: 0, max: 8 }),
	pageInQueryIgnored: fc.constant(true),
	silentPageCap: fc.integer({ min: 2, max: 15 }),
	refusePageSizeAbove: fc.record({
		size: fc.integer({ min: 1, max: 60 }),
		status: fc.constantFrom(400, 413, 422),
	}),
	hangPageSizeAbove: fc.integer({ min: 100, max: 500 }),
	cursorsCountPages: fc.constant(true),
	cursorsBoundToLimit: fc.constant(true),
	cursorsArePositions: fc.constant(true),
	cursorsBoundToKey: fc.constant(true),
	deadCursorStatus: fc.constantFrom(401, 403, 410, 500),
	pageSizeAlways: fc.integer({ min: 1, max: 40 }),
	rowCap: fc.integer({ min: 2, max: 60 }),
	nothingAbove: fc.integer({ min: 2, max: 60 }),
	total: fc.constantFrom<NonNullable<Unkindness['total']>>(
		'absent',
		{ factor: 0.5 },
		{ factor: 0.9 },
		{ factor: 1.1 },
	),
	totalInPages: fc.integer({ min: 0, max: 60 }),
	emptyPages: fc.record({
		count: fc.integer({ min: 1, max: 12 }),
		at: fc.integer({ min: 0, max: 60 }),
	}),
	descending: fc.constant(true),
	changingField: fc.constant(true),
	extraRecords: fc.integer({ min: 1, max: 8 }),
	numericIds: fc.constantFrom<NonNullable<Unkindness['numericIds']>>(true, 'small'),
	dates: fc.constantFrom('s', 'ms', 'us', 'ns', 'secondsText'),
	undated: fc.record({
		every: fc.integer({ min: 1, max: 5 }),
		place: fc.constantFrom('first', 'last'),
	}),
	zonelessDates: fc.constant(true),
	trimmedDates: fc.constant(true),
	echoSecrets: fc.constant(true),
	redirectTo: fc.constant(movedTo),
	prospectTotal: fc.constantFrom(0, 3, 5, 4_000),
	latencyPerRecordMs: fc.constantFrom(0.05, 0.2),
	bytesPerPart: fc.constantFrom(499, 1_999, 4_001),
	furtherParameters: fc.constant(['status']),
};

/** How often each setting is drawn where it can matter. */
export type Weights = Partial<Record<SettingName, number>>;

export const ofLists: Weights = {
	rateLimit: 3,
	dailyQuota: 1,
	silentPageCap: 4,
	refusePageSizeAbove: 3,
	cursorsCountPages: 3,
	cursorsBoundToLimit: 2,
	cursorsArePositions: 2,
	cursorsBoundToKey: 2,
	pageSizeAlways: 2,
	rowCap: 4,
	nothingAbove: 3,
	total: 4,
	totalInPages: 4,
	emptyPages: 3,
	descending: 3,
	changingField: 3,
	extraRecords: 4,
	numericIds: 3,
	undated: 3,
	zonelessDates: 2,
	trimmedDates: 3,
	echoSecrets: 2,
	redirectTo: 1,
	latencyPerRecordMs: 2,
	bytesPerPart: 3,
};
/** Lists that are long enough for larger pages: without what would make too many requests of them. */
export const ofLongLists: Weights = {
	refusePageSizeAbove: 3,
	cursorsCountPages: 3,
	cursorsBoundToLimit: 3,
	rowCap: 5,
	nothingAbove: 3,
	total: 4,
	emptyPages: 2,
	descending: 1,
	changingField: 3,
	extraRecords: 3,
	numericIds: 3,
	undated: 1,
};
const settingsOfLongLists: Partial<Drawn> = {
	refusePageSizeAbove: fc.record({
		size: fc.integer({ min: 18, max: 600 }),
		status: fc.constantFrom(400, 413, 422),
	}),
	rowCap: fc.integer({ min: 15, max: 600 }),
	nothingAbove: fc.integer({ min: 15, max: 600 }),
	emptyPages: fc.record({
		count: fc.integer({ min: 1, max: 12 }),
		at: fc.integer({ min: 0, max: 700 }),
	}),
};
export const ofQuery: Weights = { ...ofLists, pageInQueryIgnored: 10 };
export const ofCalls: Weights = { rateLimit: 5, dailyQuota: 2, echoSecrets: 3, redirectTo: 1 };
export const ofProspect: Weights = { ...ofCalls, prospectTotal: 8 };
export const lastingOfTriggers: Weights = {
	silentPageCap: 3,
	refusePageSizeAbove: 1,
	cursorsCountPages: 3,
	cursorsBoundToLimit: 2,
	cursorsArePositions: 4,
	cursorsBoundToKey: 2,
	deadCursorStatus: 5,
	pageSizeAlways: 3,
	rowCap: 3,
	nothingAbove: 2,
	total: 2,
	emptyPages: 2,
	descending: 1,
	changingField: 2,
	extraRecords: 3,
	numericIds: 4,
	undated: 5,
	dates: 9,
	zonelessDates: 3,
	trimmedDates: 3,
	echoSecrets: 4,
	latencyPerRecordMs: 1,
	bytesPerPart: 2,
};
export const passingOfTriggers: Weights = { rateLimit: 3, dailyQuota: 2, redirectTo: 1 };

/** The settings that are drawn somewhere. */
export const drawnSettings = new Set(
	[ofQuery, ofProspect, lastingOfTriggers, passingOfTriggers].flatMap((weights) =>
		Object.keys(weights),
	),
);

/** For the lists of `ofLongLists`. */
export function unkindOfLongList(): fc.Arbitrary<Unkindness> {
	return unkindOf(ofLongLists, 4, { ...settings, ...settingsOfLongLists });
}

/** Up to `most` of the settings; none in about every sixth history, so that the kind sandbox is drawn too. */
export function unkindOf(
	weights: Weights,
	most: number,
	values: Drawn = settings,
): fc.Arbitrary<Unkindness> {
	const names = Object.entries(weights).flatMap(([name, weight]) =>
		Array<SettingName>(weight).fill(name as SettingName),
	);
	return fc
		.tuple(
			fc.integer({ min: 0, max: 5 }),
			fc.array(fc.constantFrom(...names), { maxLength: most, minLength: 1 }),
		)
		.chain(([dice, drawn]) => {
			const chosen = dice === 0 ? [] : [...new Set(drawn)];
			return fc.record(Object.fromEntries(chosen.map((name) => [name, values[name]])));
		}) as fc.Arbitrary<Unkindness>;
}
