import type { RateLimitSettings, Unkindness } from './types.mts';

/** What each unkind setting does, for the help text. The order is the one people read. */
export const unkindSettings: Record<keyof Unkindness, string> = {
	rateLimit:
		'{"algorithm":"tokenBucket"|"fixedWindow"|"slidingWindow","requests":20,"windowMs":30000,"retryAfter":false,"burst":5,"announce":"RateLimit"|"X-RateLimit"|"X-RateLimit time"}: 429s; burst is for tokenBucket, announce puts what is left into every answer',
	dailyQuota: 'after so many accepted requests: 429 with Retry-After: 86400',
	pageInQueryIgnored: 'true: "page" in the body of the records query does nothing',
	silentPageCap: 'at most so many records per page, while page_size repeats the limit asked for',
	refusePageSizeAbove: '{"size":100,"status":400|413|422|429}: a larger limit is refused',
	hangPageSizeAbove: 'a larger limit is never answered',
	cursorsCountPages:
		'true: a cursor knows its page by number, so with another limit it leads to another record',
	cursorsBoundToLimit: 'true: a cursor is refused with another limit than its own',
	cursorsArePositions: 'true: a cursor knows how many records came before it, and not which',
	cursorsBoundToKey: 'true: a cursor is refused to another key than its own',
	cursorLifeMs: 'a cursor is refused after so many milliseconds',
	deadCursorStatus: '400|401|403|410|500: how a cursor that has expired is refused',
	pageSizeAlways: 'every page holds so many records, whatever the limit',
	rowCap:
		'the database gives at most so many of the limit + 1 rows that show whether more follow; no next_cursor where fewer come',
	nothingAbove: 'a larger limit gets an empty page without next_cursor',
	total: '"absent" | {"factor":1.1}: total is left out, or so many times the real one',
	totalInPages: 'total in page mode, whatever there is',
	emptyPages:
		'{"count":150,"at":0}: so many empty pages with a next_cursor before the page with the record at that position',
	descending: 'true: lists by a date come newest first',
	changingField: 'true: each record has a signed logo_url that differs with each answer',
	extraRecords: 'every page holds up to so many more records than limit',
	numericIds: 'true: ids are numbers beyond 2^53; "small": numbers from 1 on',
	dates: '"s"|"ms"|"us"|"ns": dates are numbers of that unit; "secondsText": they have no fraction',
	undated: '{"every":3,"place":"first"|"last"}: every n-th record has no dates',
	zonelessDates: 'true: dates are sent without their Z',
	trimmedDates: 'true: dates are sent without the zeros at the end of their fraction',
	echoSecrets:
		'true: ctx_id, errors, unknown fields and failed answers repeat the key that was sent',
	redirectTo: 'every API request is answered 307 to this origin, with the same path',
	prospectTotal: 'Prospect has so many results and gives the first "limit" of them',
	latencyPerRecordMs: 'a list is answered so many milliseconds later per record in it',
	bytesPerPart: 'answers come in parts of so many bytes',
	furtherParameters: '["status"]: lists take these parameters as well and do nothing with them',
};

type Check = (value: unknown) => boolean;

const isFlag: Check = (value) => typeof value === 'boolean';
const isAmount: Check = (value) =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isWhole: Check = (value) => isAmount(value) && Number.isInteger(value);
const isCount: Check = (value) => isWhole(value) && (value as number) >= 1;
const oneOf =
	(...values: unknown[]): Check =>
	(value) =>
		values.includes(value);

/** True where a value is an object of these fields; those in `optional` may be left out. */
function shape(fields: Record<string, Check>, optional: string[] = []): Check {
	return (value) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
		const given = value as Record<string, unknown>;
		return (
			Object.keys(given).every((name) => name in fields) &&
			Object.entries(fields).every(
				([name, check]) =>
					(given[name] === undefined && optional.includes(name)) || check(given[name]),
			)
		);
	};
}

const rateLimitFields: Record<keyof RateLimitSettings, Check> = {
	algorithm: oneOf('tokenBucket', 'fixedWindow', 'slidingWindow'),
	requests: isCount,
	windowMs: (value) => isAmount(value) && value !== 0,
	retryAfter: isFlag,
	burst: isCount,
	announce: oneOf('RateLimit', 'X-RateLimit', 'X-RateLimit time'),
};

const checks: Record<keyof Unkindness, Check> = {
	rateLimit: shape(rateLimitFields, ['retryAfter', 'burst', 'announce']),
	dailyQuota: isWhole,
	pageInQueryIgnored: isFlag,
	silentPageCap: isCount,
	refusePageSizeAbove: shape({ size: isCount, status: oneOf(400, 413, 422, 429) }),
	hangPageSizeAbove: isCount,
	cursorsCountPages: isFlag,
	cursorsBoundToLimit: isFlag,
	cursorsArePositions: isFlag,
	cursorsBoundToKey: isFlag,
	cursorLifeMs: isAmount,
	deadCursorStatus: oneOf(400, 401, 403, 410, 500),
	pageSizeAlways: isCount,
	rowCap: isCount,
	nothingAbove: isCount,
	total: (value) => value === 'absent' || shape({ factor: isAmount })(value),
	totalInPages: isWhole,
	emptyPages: shape({ count: isWhole, at: isWhole }),
	descending: isFlag,
	changingField: isFlag,
	extraRecords: isWhole,
	numericIds: oneOf(true, false, 'small'),
	dates: oneOf('s', 'ms', 'us', 'ns', 'secondsText'),
	undated: shape({ every: isCount, place: oneOf('first', 'last') }),
	zonelessDates: isFlag,
	trimmedDates: isFlag,
	echoSecrets: isFlag,
	redirectTo: (value) =>
		typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value,
	prospectTotal: isWhole,
	latencyPerRecordMs: isAmount,
	bytesPerPart: isCount,
	furtherParameters: (value) =>
		Array.isArray(value) && value.every((name) => typeof name === 'string'),
};

/** Reads unkind settings. Throws an error that names what is wrong: a mistyped one would silently test nothing. */
export function readUnkindness(settings: unknown): Unkindness {
	if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
		throw new Error('unkind must be an object of settings.');
	}
	for (const [name, value] of Object.entries(settings)) {
		if (!Object.hasOwn(checks, name)) {
			const known = Object.keys(checks).join(', ');
			throw new Error(`There is no unkind setting "${name}". Known: ${known}.`);
		}
		const setting = name as keyof Unkindness;
		if (value === undefined || checks[setting](value)) continue;
		throw new Error(
			`The unkind setting ${name} cannot be ${JSON.stringify(value)}. It is: ${unkindSettings[setting]}.`,
		);
	}
	return settings as Unkindness;
}
