/** ISO 8601 as services write it: also with a space or a comma, and with a zone such as `+00`. */
const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(?:z|([+-]\d\d):?(\d\d)?)?)?$/i;
/** As HTTP writes dates. */
const HTTP = /^[a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d gmt$/i;
/** With fewer digits, it is a year, a count of days and the like, and no time since 1970. */
const SINCE_1970 = /^(0|\d{9,}(\.\d+)?)$/;
/** A minute or a second of a day, such as 20261125090000, which would be a time of 1976 or 2612. */
const COMPACT = /^(19|20)\d{10}(\d\d(\d{3}){0,2})?(\.\d+)?$/;

/** As `timeOf`, but null for a day or a minute, since it does not show which of two changes came first. */
export function preciseTimeOf(value: unknown): number | null {
	const isText = typeof value === 'string';
	const isRough = isText && ISO.test(value.trim()) && !/\d\d:\d\d:\d\d/.test(value);
	return isRough ? null : timeOf(value);
}

/**
 * Reads a date of the service in ms since 1970: ISO or HTTP text, or s, ms, µs or ns since 1970; null when it is none.
 * Text that names no time zone is UTC: in local time, two dates could swap their order when the clocks change.
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
	// Date.parse reads no more than three digits.
	const [, beyondMs = ''] = /[.,]\d{3}(\d+)/.exec(time) ?? [];
	return ms === null ? null : toMicrosecond(ms, beyondMs);
}

/** Seconds since 1970 have 9 to 11 digits before the point; ms, µs and ns have 3, 6 and 9 more. */
function timeOfNumber(text: string): number | null {
	const [whole, fraction = ''] = text.split('.');
	const belowSecond = Math.min(9, Math.max(0, 3 * Math.floor((whole.length - 9) / 3)));
	const digits = (whole + fraction).padEnd(whole.length + 3, '0');
	const end = whole.length - belowSecond + 3;
	const ms = Number(digits.slice(0, end));
	return Number.isFinite(ms) ? toMicrosecond(ms, digits.slice(end)) : null;
}

/** By the digits: a number holds no ns, and a moment has to be the same one in every form. `beyondMs`: digits after the ms. */
function toMicrosecond(ms: number, beyondMs: string): number {
	const digits = beyondMs.padEnd(3, '0');
	const microseconds = Math.round(Number(`${digits.slice(0, 3)}.${digits.slice(3)}`));
	return (ms * 1_000 + microseconds) / 1_000;
}

function dateOrNull(text: string): number | null {
	const ms = Date.parse(text);
	return Number.isNaN(ms) ? null : ms;
}

/** The dates of records in ms since 1970; null where one has none that can be read. */
export function timesOf(
	records: ReadonlyArray<Record<string, unknown>>,
	field: string,
): Array<number | null> {
	return records.map((record) => timeOf(record[field]));
}

/** Whether dates that should be in ascending order are not; what has no date does not count. */
export function goesDown(times: ReadonlyArray<number | null>): boolean {
	const dates = times.filter((time) => time !== null);
	return dates.some((time, index) => time < dates[index - 1]);
}

/** A date range: later than `after` and not later than `before`, both in ms since 1970. */
export interface DateRange {
	after?: number;
	before?: number;
}

/** A record without a date may have changed at any time: it counts as long as the range has no end. */
export function isWithin(time: number | null, { after = -Infinity, before }: DateRange): boolean {
	if (time === null) return before === undefined;
	return time > after && time <= (before ?? Infinity);
}
