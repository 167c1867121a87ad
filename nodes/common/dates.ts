/** A number of ms since 1970 is at least this large (early 1973); one of seconds is smaller, of µs and ns a thousand and a million times as large. */
const SMALLEST_MILLISECONDS = 100_000_000_000;

/**
 * Reads a date of the service: text as Date.parse accepts it, or s, ms, µs or ns since 1970. Text that names
 * no time zone is UTC: in local time, two dates would change places when the clocks change.
 *
 * @returns milliseconds since 1970; null when it is none of these
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
	if (typeof value !== 'string') return null;
	const time = Date.parse(isoOf(value) ?? (hasZone(value) ? value : inUtc(value)));
	return Number.isNaN(time) ? null : time;
}

/** Whether dates that should be in ascending order are not; what has no date does not count. */
export function goesDown(times: ReadonlyArray<number | null>): boolean {
	let before = -Infinity;
	for (const time of times) {
		if (time === null) continue;
		if (time < before) return true;
		before = time;
	}
	return false;
}

const ISO_LIKE =
	/^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(?:(z)|([+-]\d\d)(?::?(\d\d))?)?$/i;

/** ISO 8601 that Date.parse refuses (`+00`, a comma, a space before the zone), in a form that it accepts. */
function isoOf(date: string): string | undefined {
	const [, day, time, , hours, minutes = '00'] = ISO_LIKE.exec(date.trim()) ?? [];
	if (day === undefined || time === undefined) return undefined;
	return `${day}T${time.replace(',', '.')}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
}

/** Whether letters or a sign follow the time of day: `Z`, `GMT`, `+02:00`. */
function hasZone(date: string): boolean {
	return /:\d\d.*[a-z+-]/i.test(date.replace(/[ap]m\b/i, ''));
}

/** A `T` between date and time of day and the name of a zone do not go together for Date.parse. */
function inUtc(date: string): string {
	return `${date.replace(/(?<=\d)T(?=\d)/i, ' ')} UTC`;
}
