/** A number of ms since 1970 is at least this large (early 1973); one of seconds is smaller, of µs and ns a thousand and a million times as large. */
const SMALLEST_MILLISECONDS = 100_000_000_000;

/** ISO 8601 as services write it: also with a space or a comma, and with a zone such as `+00`. */
const ISO =
	/^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(?:z|([+-]\d\d):?(\d\d)?)?)?$/i;

/**
 * Reads a date of the service in ms since 1970: ISO text, or s, ms, µs or ns since 1970; null when it is none of these.
 * Text that names no time zone is UTC: in local time, two dates would change places when the clocks change.
 */
export function timeOf(value: unknown): number | null {
	const isDigits = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
	if (typeof value === 'number' || isDigits) {
		const number = Number(value);
		if (!Number.isFinite(number)) return null;
		if (number < SMALLEST_MILLISECONDS) return number * 1_000;
		const unit = [1_000_000, 1_000].find((one) => number >= one * SMALLEST_MILLISECONDS) ?? 1;
		return number / unit;
	}
	const found = typeof value === 'string' ? ISO.exec(value.trim()) : null;
	if (found === null) return null;
	const [, day, time = '00:00', hours, minutes = '00'] = found;
	const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
	const ms = Date.parse(`${day}T${time.replace(',', '.')}${zone}`);
	// Date.parse reads no more than three digits.
	const [, beyondMs = ''] = /[.,]\d{3}(\d+)/.exec(time) ?? [];
	return Number.isNaN(ms) ? null : ms + Number(`0.${beyondMs}`);
}

/** Whether dates that should be in ascending order are not; what has no date does not count. */
export function goesDown(times: ReadonlyArray<number | null>): boolean {
	const dates = times.filter((time) => time !== null);
	return dates.some((time, place) => time < dates[place - 1]);
}
