/** Matches dates in ISO 8601, even with a space instead of `T`, a decimal comma, or a time zone such as `+00`. */
const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(?:z|([+-]\d\d):?(\d\d)?)?)?$/i;
/** Matches dates in the format of HTTP headers, for example `Fri, 20 Nov 2026 09:00:00 GMT`. */
const HTTP = /^[a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d gmt$/i;
/** Matches times since 1970: 0, or at least nine digits. Excludes shorter numbers, as they can be years or days. */
const SINCE_1970 = /^(0|\d{9,}(\.\d+)?)$/;
/** Matches dates written as digits only, such as 20261125090000, which must not be read as a time since 1970. */
const COMPACT = /^(19|20)\d{10}(\d\d(\d{3}){0,2})?(\.\d+)?$/;

/** Reads a date as `timeOf` does. Returns null for dates without seconds, which are too coarse to order changes. */
export function preciseTimeOf(value: unknown): number | null {
	const isText = typeof value === 'string';
	const isRough = isText && ISO.test(value.trim()) && !/\d\d:\d\d:\d\d/.test(value);
	return isRough ? null : timeOf(value);
}

/**
 * Returns a date in ms since 1970, or null if unreadable. Accepts ISO 8601, HTTP header dates, and s, ms, µs or ns
 * since 1970. A date without a time zone counts as UTC, because local times repeat when clocks are set back.
 */
export function timeOf(value: unknown): number | null {
	if (typeof value !== 'string' && typeof value !== 'number') return null;
	const text = String(value).trim();
	if (SINCE_1970.test(text)) return COMPACT.test(text) ? null : timeOfNumber(text);
	const found = ISO.exec(text);
	if (found === null) return HTTP.test(text) ? dateOrNull(text) : null;
	const [, day, time = '00:00', hours, minutes = '00'] = found;
	const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
	const ms = dateOrNull(`${day}T${time.replace(',', '.')}${zone}`);
	// Read the digits after the milliseconds here, because Date.parse ignores them.
	const [, beyondMs = ''] = /[.,]\d{3}(\d+)/.exec(time) ?? [];
	return ms === null ? null : toMicrosecond(ms, beyondMs);
}

/** Converts a time since 1970 to ms. Numbers of up to 11 digits are s, up to 14 are ms, up to 17 are µs, others ns. */
function timeOfNumber(text: string): number | null {
	const [whole, fraction = ''] = text.split('.');
	const belowSecond = Math.min(9, Math.max(0, 3 * Math.floor((whole.length - 9) / 3)));
	const digits = (whole + fraction).padEnd(whole.length + 3, '0');
	const end = whole.length - belowSecond + 3;
	const ms = Number(digits.slice(0, end));
	return Number.isFinite(ms) ? toMicrosecond(ms, digits.slice(end)) : null;
}

/**
 * Adds the digits after the milliseconds to `ms`. Rounds to microseconds, because a JavaScript number of ms since 1970
 * cannot be more precise.
 */
function toMicrosecond(ms: number, beyondMs: string): number {
	const digits = beyondMs.padEnd(3, '0');
	const microseconds = Math.round(Number(`${digits.slice(0, 3)}.${digits.slice(3)}`));
	return (ms * 1_000 + microseconds) / 1_000;
}

function dateOrNull(text: string): number | null {
	const ms = Date.parse(text);
	return Number.isNaN(ms) ? null : ms;
}

/** Returns the dates of records in ms since 1970. An unreadable date becomes null. */
export function timesOf(
	records: ReadonlyArray<Record<string, unknown>>,
	field: string,
): Array<number | null> {
	return records.map((record) => timeOf(record[field]));
}

/** Checks whether any date is earlier than the date before it. Ignores missing dates (null). */
export function goesDown(times: ReadonlyArray<number | null>): boolean {
	const dates = times.filter((time) => time !== null);
	return dates.some((time, index) => time < dates[index - 1]);
}

/** Date range in ms since 1970. `after` is exclusive, `before` is inclusive. */
export interface DateRange {
	after?: number;
	before?: number;
}

/** Checks whether a date is in a range. A missing date (null) is in every range that has no `before`. */
export function isWithin(time: number | null, { after = -Infinity, before }: DateRange): boolean {
	if (time === null) return before === undefined;
	return time > after && time <= (before ?? Infinity);
}
