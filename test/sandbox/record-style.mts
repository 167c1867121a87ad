import type { Unkindness } from './types.mts';

/** How records look on the wire; kind where nothing is set. */
export type RecordStyle = Pick<Unkindness, 'numericIds' | 'undated' | 'dates' | 'shuffledTies'>;

/** Beyond 2^53, so a client that parses an id as a double takes neighbours for one record. */
const firstNumericId = 9_007_199_254_740_993n;
const dates = /,"created_at":"([^"]*)","updated_at":"([^"]*)"\}$/;

/** The numeric id of the record with a number (from 0). Large ones have one length, so text order is their order. */
export function numericIdOf(number: number, size: true | 'small' | 'mixed'): string {
	// Each once, in an order that no client can know.
	if (size === 'mixed') return String((number * 7_919) % 1_000_003);
	return size === 'small' ? String(number + 1) : String(firstNumericId + BigInt(number));
}

/** The number of a numeric id, or undefined where the text is no such id. */
export function numberOfNumericId(id: string): number | undefined {
	if (/^\d{1,9}$/.test(id)) return Number(id) - 1;
	return /^\d{16}$/.test(id) ? Number(BigInt(id) - firstNumericId) : undefined;
}

/** True where the setting takes the dates of a record away, unless it has been changed since. */
export function losesDates({ undated }: RecordStyle, index: number): boolean {
	return undated !== undefined && (index + 1) % undated.every === 0;
}

/** The text of a record as it is sent. `numericId` replaces the id; `isUndated` takes the dates away. */
export function styledRecord(
	text: string,
	style: RecordStyle,
	index: number,
	numericId: string | undefined,
	isUndated: boolean,
): string {
	let styled = text;
	if (numericId !== undefined) styled = styled.replace(/^\{"id":"[^"]*"/, `{"id":${numericId}`);
	if (isUndated) {
		const isNull = Math.ceil((index + 1) / (style.undated?.every ?? 1)) % 2 === 1;
		return styled.replace(dates, isNull ? ',"created_at":null,"updated_at":null}' : '}');
	}
	const { dates: form } = style;
	if (form === undefined) return styled;
	return styled.replace(
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

/** The text of a record with an address that each answer signs anew. */
export function withSignedLogo(text: string, contextId: string): string {
	const address = `https://logos.example/logo.png?signature=${contextId}`;
	return text.replace(/^\{("id":[^,]*)/, `{$1,"logo_url":"${address}"`);
}
