/** One record of the service, as it is at the moment. */
export interface Row {
	key: string;
	created: number;
	updated: number;
	/** Without any date until it is updated. */
	isUndated?: boolean;
}

/** How a service may write its records. */
export interface RecordTraits {
	/** `none`: only content tells records apart; `big`: JSON numbers beyond 2^53 that lie close together. */
	ids: 'text' | 'number' | 'big' | 'none';
	dateFormat: keyof typeof formats;
}

/** Far beyond 2^53: hundreds of neighbours are the same JavaScript number. */
const BIG_ID = 2n ** 60n;

/**
 * A record as the service sends it: text, since a JavaScript number would not hold all digits of a big id or date.
 *
 * @param version names the record's version
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

/** How a service may write dates; a day has no time, so that a later record may stand before an earlier one. */
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
