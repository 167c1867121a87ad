import type { Unkindness } from './types.mts';

/** How records look on the wire; kind where nothing is set. */
export type RecordStyle = Pick<Unkindness, 'undated' | 'dates' | 'shuffledTies'>;

const dates = /,"created_at":"([^"]*)","updated_at":"([^"]*)"\}$/;

/** The text of a record without its dates, in turn null and missing. */
export function undatedRecord(text: string, every: number, index: number): string {
	const isNull = Math.ceil((index + 1) / every) % 2 === 1;
	return text.replace(dates, isNull ? ',"created_at":null,"updated_at":null}' : '}');
}

/** The text of a record with its dates as the style asks for. */
export function styledRecord(text: string, { dates: form }: RecordStyle): string {
	if (form === undefined) return text;
	return text.replace(
		dates,
		(_all, created: string, updated: string) =>
			`,"created_at":${dateJson(created, form)},"updated_at":${dateJson(updated, form)}}`,
	);
}

/** The digits after those of the milliseconds, by unit. */
const finerDigits = { ms: '', us: '000', ns: '000000' };

/** A date as it is sent: text, or a number of the unit. */
function dateJson(date: string, form: NonNullable<RecordStyle['dates']>): string {
	if (form === 'withoutZone') return `"${date.replace('Z', '')}"`;
	if (form === 'secondsText') return `"${date.replace(/\.\d*Z$/, 'Z')}"`;
	const ms = Date.parse(date);
	return form === 's' ? String(Math.floor(ms / 1000)) : `${ms}${finerDigits[form]}`;
}
