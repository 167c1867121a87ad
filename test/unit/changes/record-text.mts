/** One record of the model service, as it is at the moment. */
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
	ids: 'text' | 'big' | 'none';
	dateFormat: 'iso' | 'zoneless' | 'seconds' | 'milliseconds';
}

/** Far beyond 2^53: hundreds of neighbours are the same JavaScript number. */
const BIG_ID = 2n ** 60n;

/**
 * A record as the service sends it: text, since a JavaScript number would not hold all digits of a big id.
 *
 * @param version names the record's version
 * @param hasNulls whether dates that it has not are null instead of missing
 */
export function recordText(
	row: Row,
	version: string,
	{ ids, dateFormat }: RecordTraits,
	hasNulls: boolean,
): string {
	const dates = {
		created_at: formatted(row.created, dateFormat),
		updated_at: formatted(row.updated, dateFormat),
	};
	const without = hasNulls ? { created_at: null, updated_at: null } : {};
	const record: Record<string, unknown> = { version, ...(row.isUndated ? without : dates) };
	if (ids === 'text') record.id = row.key;
	const text = JSON.stringify(record);
	return ids === 'big' ? `{"id":${BIG_ID + BigInt(row.key.slice(1))},${text.slice(1)}` : text;
}

function formatted(time: number, format: RecordTraits['dateFormat']): string | number {
	if (format === 'iso') return new Date(time).toISOString();
	if (format === 'zoneless') return new Date(time).toISOString().slice(0, -1);
	return format === 'seconds' ? time / 1_000 : time;
}
