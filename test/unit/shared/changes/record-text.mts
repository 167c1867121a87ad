/** Current content of one record of the service. */
export interface Row {
	key: string;
	created: number;
	updated: number;
	/** Whether the record has no date until its first update. */
	isUndated?: boolean;
}

/** Formats that a service may use for its records. */
export interface RecordTraits {
	/**
	 * `none`: records have no ids and differ only in content. `big`: ids are JSON numbers above 2^53 that lie close
	 * together.
	 */
	ids: 'text' | 'number' | 'big' | 'none';
	dateFormat: keyof typeof formats;
}

/** Offset of large ids. It is so far above 2^53 that JavaScript rounds hundreds of neighbours to the same number. */
const BIG_ID = 2n ** 60n;

/**
 * Returns a record as JSON text, because a JavaScript number would not hold all digits of a large id or date.
 *
 * @param version name of the version, which the record contains
 */
export function recordText(row: Row, version: string, { ids, dateFormat }: RecordTraits): string {
	const members = [`"version":${JSON.stringify(version)}`];
	if (ids === 'text') members.push(`"id":"${row.key}"`);
	if (ids === 'number') members.push(`"id":${row.key.slice(1)}`.replace(/:0+(?=\d)/, ':'));
	if (ids === 'big') members.push(`"id":${BIG_ID + BigInt(row.key.slice(1))}`);
	const dates = { created_at: row.created, updated_at: row.updated };
	for (const [name, time] of Object.entries(dates)) {
		if (!row.isUndated) members.push(`"${name}":${formats[dateFormat](time)}`);
	}
	return `{${members.join(',')}}`;
}

/** Date formats that a service may use. A day has no time, so a later record may stand before an earlier record. */
export const formats = {
	iso: (time: number) => JSON.stringify(new Date(time).toISOString()),
	zoned: (time: number) =>
		JSON.stringify(new Date(time + 7_200_000).toISOString().replace('Z', '000+02:00')),
	zoneless: (time: number) => JSON.stringify(new Date(time).toISOString().slice(0, -1)),
	seconds: (time: number) => String(time / 1_000),
	milliseconds: (time: number) => String(time),
	microseconds: (time: number) => `${time}000`,
	http: (time: number) => JSON.stringify(new Date(time).toUTCString()),
	day: (time: number) => JSON.stringify(new Date(time).toISOString().slice(0, 10)),
	nanoseconds: (time: number) => `"${time}000000"`,
};
