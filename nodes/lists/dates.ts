/** A smaller number is one of seconds since 1970. In ms, this is early 1973. */
const SMALLEST_MILLISECONDS = 100_000_000_000;

/** ISO 8601 as services write it: also with a space or a comma, and with a zone such as `+00`. */
const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(?:z|([+-]\d\d):?(\d\d)?)?)?$/i;
/** As HTTP writes dates. */
const HTTP = /^[a-z]{3}, \d\d [a-z]{3} \d{4} \d\d:\d\d:\d\d gmt$/i;
/** With fewer digits, it is a year, a count of days and the like, and no time since 1970. */
const SINCE_1970 = /^(0|\d{9,}(\.\d+)?)$/;
/** A minute or a second of a day, such as 20261125090000, which would be a time of 1976 or 2612. */
const COMPACT = /^(19|20)\d{10}(\d\d(\d{3}){0,2})?(\.\d+)?$/;

/** As `timeOf`, but null for a day or a minute, since it does not tell which of two changes came first. */
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
	if (SINCE_1970.test(text)) {
		const number = Number(text);
		if (COMPACT.test(text) || !Number.isFinite(number)) return null;
		if (number < SMALLEST_MILLISECONDS) return toMicrosecond(number * 1_000);
		const unit = [1_000_000, 1_000].find((one) => number >= one * SMALLEST_MILLISECONDS) ?? 1;
		return toMicrosecond(number / unit);
	}
	const found = ISO.exec(text);
	if (found === null) return HTTP.test(text) ? dateOrNull(text) : null;
	const [, day, time = '00:00', hours, minutes = '00'] = found;
	const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
	const ms = dateOrNull(`${day}T${time.replace(',', '.')}${zone}`);
	// Date.parse reads no more than three digits.
	const [, beyondMs = ''] = /[.,]\d{3}(\d+)/.exec(time) ?? [];
	return ms === null ? null : toMicrosecond(ms + Number(`0.${beyondMs}`));
}

/** A number of seconds holds no more, and a moment has to be the same one in every form. */
const toMicrosecond = (ms: number): number => Math.round(ms * 1_000) / 1_000;

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
