import type { RateLimitSettings, Unkindness } from './types.mts';

/** JSON schemas of what arrives over HTTP, where a mistyped name or value would silently test nothing. */
type Schema = Record<string, unknown>;

const flag: Schema = { type: 'boolean' };
const amount: Schema = { type: 'number', minimum: 0 };
const whole: Schema = { type: 'integer', minimum: 0 };
const count: Schema = { type: 'integer', minimum: 1 };
const oneOf = (...values: unknown[]): Schema => ({ enum: values });

/** An object of these fields; those named as optional may be left out, and there are no others. */
export function shape(
	properties: Record<string, Schema>,
	optional: string[] = Object.keys(properties),
): Schema {
	const required = Object.keys(properties).filter((name) => !optional.includes(name));
	return { type: 'object', properties, required, additionalProperties: false };
}

const rateLimit: Record<keyof RateLimitSettings, Schema> = {
	algorithm: oneOf('tokenBucket', 'fixedWindow', 'slidingWindow'),
	requests: count,
	windowMs: count,
	retryAfter: flag,
	burst: count,
	announce: oneOf('RateLimit', 'X-RateLimit', 'X-RateLimit time'),
};

/** What each setting may be; what it does is in `types.mts` and README.md. */
const settings: Record<keyof Unkindness, Schema> = {
	rateLimit: shape(rateLimit, ['retryAfter', 'burst', 'announce']),
	dailyQuota: whole,
	pageInQueryIgnored: flag,
	silentPageCap: count,
	refusePageSizeAbove: shape({ size: count, status: oneOf(400, 413, 422, 429) }, []),
	hangPageSizeAbove: count,
	cursorsCountPages: flag,
	cursorsBoundToLimit: flag,
	cursorsArePositions: flag,
	cursorsBoundToKey: flag,
	cursorLifeMs: amount,
	deadCursorStatus: oneOf(400, 401, 403, 410, 500),
	pageSizeAlways: count,
	rowCap: count,
	nothingAbove: count,
	total: { anyOf: [oneOf('absent'), shape({ factor: amount }, [])] },
	totalInPages: whole,
	emptyPages: shape({ count: whole, at: whole }, []),
	descending: flag,
	changingField: flag,
	extraRecords: whole,
	numericIds: oneOf(true, false, 'small'),
	dates: oneOf('s', 'ms', 'us', 'ns', 'secondsText'),
	undated: shape({ every: count, place: oneOf('first', 'last') }, []),
	zonelessDates: flag,
	trimmedDates: flag,
	echoSecrets: flag,
	redirectTo: { type: 'string', pattern: '^https?://[^/]+$' },
	prospectTotal: whole,
	latencyPerRecordMs: amount,
	bytesPerPart: count,
	furtherParameters: { type: 'array', items: { type: 'string' } },
};

/** All of them; null for none. */
export const unkindSchema: Schema = { ...shape(settings), nullable: true };
