import { counted, formatNumber } from '../../common/errors/words';

const DIGITS = 15;
/** The most characters of a cell. */
const LONGEST_CELL = 32_767;

/** What Excel changes when it opens a CSV file with a double click, in the order in which a hint names it. */
const CHANGES = [
	'leading zeros',
	'long numbers',
	'text like a number',
	'text like a date',
	'long text',
] as const;
type Change = (typeof CHANGES)[number];

const MOST_NAMES = 3;
const MONTH =
	'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
/** Nothing else is taken for a number or a date. */
const IS_SHORT_TEXT = /^"(?:[+-]?\d[\d.,/eE+-]*|[a-z]{3,9}[- ]?\d{1,4})"$/i;
const LEADING_ZERO = /^"[+-]?0\d+(?:[.,]\d*)?"$/;
/** `1E5` and `+491234`; by decimal sign, `2.10`, and `1.234` where that is more than a thousand. */
const LIKE_NUMBER = /^"(?:[+-]?\d+(?:[.,]\d*)?e[+-]?\d+|\+\d+)"$/i;
const LIKE_NUMBER_WITH_POINT = /^"[+-]?\d+\.\d*0"$/;
const LIKE_NUMBER_WITH_COMMA = /^"[+-]?(?:\d+,\d*0|\d{1,3}(?:\.\d{3})+)"$/;
/** `3-4`, `3/2026`, `MARCH1`: not whole dates, which stay what they are. */
const LIKE_DATE = new RegExp(`^"(?:\\d{1,2}[-/]\\d{1,4}|(?:${MONTH})[- ]?\\d{1,4})"$`, 'i');
/** Where the comma is the decimal sign: `12.50`, `1.2.3`. */
const LIKE_DATE_WITH_DOTS = /^"\d{1,2}\.\d{1,2}(?:\.\d{1,2})?"$/;

/** Counts the values of an export that Excel would change, by what it changes and by column. */
export class ExcelChanges {
	private readonly hasDecimalComma: boolean;
	/** The columns, from 0: names that were read would keep their whole page in memory. */
	private readonly found = new Map<Change, Set<number>>();
	private count = 0;

	constructor(decimalSign: string) {
		this.hasDecimalComma = decimalSign === ',';
	}

	/** Told of every value, by its JSON and by its cell. */
	lookAt(column: number, json: string, cell: string): void {
		const change = this.changeOf(json, cell);
		if (change === undefined) return;
		this.count += 1;
		const columns = this.found.get(change);
		if (columns === undefined) this.found.set(change, new Set([column]));
		else columns.add(column);
	}

	/** What to tell of the columns of these names; undefined where Excel changes nothing. */
	warning(names: readonly string[]): string | undefined {
		if (this.count === 0) return undefined;
		const changes = CHANGES.flatMap((change) => {
			const columns = [...(this.found.get(change) ?? [])].map((column) => names[column]);
			if (columns.length === 0) return [];
			const more = columns.length - MOST_NAMES;
			const others = more > 0 ? ` and ${more} more` : '';
			return [`${change} (${columns.slice(0, MOST_NAMES).join(', ')}${others})`];
		});
		const longText = this.found.has('long text')
			? ` A cell holds ${formatNumber(LONGEST_CELL)} characters at most.`
			: '';
		return `Excel will change ${counted(this.count, 'value')}: ${changes.join(', ')}. Import them as text: <b>Data</b> > <b>From Text/CSV</b>.${longText}`;
	}

	private changeOf(json: string, cell: string): Change | undefined {
		if (cell.length > LONGEST_CELL && lengthOf(cell) > LONGEST_CELL) return 'long text';
		if (cell.length > DIGITS && isLongNumber(cell)) return 'long numbers';
		// An apostrophe makes it text.
		if (!IS_SHORT_TEXT.test(json) || /^"?'/.test(cell)) return undefined;
		if (LEADING_ZERO.test(json)) return 'leading zeros';
		if (LIKE_DATE.test(json)) return 'text like a date';
		if (this.hasDecimalComma && LIKE_DATE_WITH_DOTS.test(json)) return 'text like a date';
		const bySign = this.hasDecimalComma ? LIKE_NUMBER_WITH_COMMA : LIKE_NUMBER_WITH_POINT;
		return LIKE_NUMBER.test(json) || bySign.test(json) ? 'text like a number' : undefined;
	}
}

/** How many characters a cell has for Excel. */
function lengthOf(cell: string): number {
	return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"').length : cell.length;
}

/** Zeros at the end are no loss. Text of digits counts: Excel takes it for a number. */
function isLongNumber(cell: string): boolean {
	const isNumber = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(cell);
	const digits = isNumber ? cell.replace(/^[^1-9]+|e.*|\D/gi, '') : '';
	return /[1-9]/.test(digits.slice(DIGITS));
}
