import type { Stretch } from './format';

/** How the cells and lines of a CSV file are told apart. */
export interface CsvForm {
	/** What stands between two cells: one ASCII character, and no quote. */
	delimiter: string;
	lineEnd: '\r\n' | '\n';
}

const QUOTE = 34;
const LINE_FEED = 10;

/**
 * Gives every line of a CSV file the same number of columns, by empty cells at its end.
 *
 * @param lines CSV without its header
 * @param stretches what `lines` consists of
 * @param columns how many each line has to have, at least as many as any has
 */
export function addColumns(
	lines: Buffer,
	stretches: readonly Stretch[],
	columns: number,
	form: CsvForm,
): Buffer {
	const added = stretches.reduce(
		(bytes, stretch) => bytes + stretch.records * (columns - stretch.columns),
		0,
	);
	if (added === 0) return lines;
	const wider = Buffer.allocUnsafe(lines.length + added);
	let from = 0;
	let to = 0;
	for (const { bytes, columns: present } of stretches) {
		const stretch = lines.subarray(from, from + bytes);
		to =
			present === columns
				? to + stretch.copy(wider, to)
				: widen(stretch, form.delimiter.repeat(columns - present), wider, to, form);
		from += bytes;
	}
	return wider;
}

/**
 * @param added what every line gets at its end
 * @returns where the wider lines end in `wider`
 */
function widen(
	lines: Buffer,
	added: string,
	wider: Buffer,
	start: number,
	{ lineEnd }: CsvForm,
): number {
	const lastOfLineEnd = lineEnd.length - 1;
	let to = start;
	let isQuoted = false;
	let from = 0;
	for (let index = 0; index < lines.length; index++) {
		const byte = lines[index];
		// A quote inside a cell is doubled, so counting them tells where a cell's own line breaks are.
		if (byte === QUOTE) isQuoted = !isQuoted;
		if (byte !== LINE_FEED || isQuoted) continue;
		to += lines.copy(wider, to, from, index - lastOfLineEnd);
		to += wider.write(added, to, 'latin1');
		to += lines.copy(wider, to, index - lastOfLineEnd, index + 1);
		from = index + 1;
	}
	return to;
}
