/** Data of one record of a simulated service. Times are in ms since 1970. */
export interface Row {
	key: string;
	created: number;
	updated: number;
	/** Whether the record has no date until its first update. */
	isUndated?: boolean;
}

/** Formats in which a service can write ids and dates. */
export interface RecordTraits {
	/**
	 * With `none`, records have no ids and differ only in content. With `big`, ids are neighbouring JSON numbers above
	 * 2^53, so JavaScript rounds different ids to the same number.
	 */
	ids: 'text' | 'number' | 'big' | 'none';
	dateFormat: keyof typeof formats;
}

/**
 * Smallest id of the kind `big`. JavaScript rounds hundreds of neighbouring integers of this size to the same number.
 */
const BIG_ID = 2n ** 60n;

/**
 * Returns a record as JSON text, because a JavaScript number would not hold all digits of a large id or date.
 *
 * @param version name of the record version, which the text contains as the member `version`
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

/**
 * Functions that write a time (ms since 1970) as JSON text, one for each date format of a service. The format `day` has
 * no time of day, so all records of one day have the same date.
 */
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
