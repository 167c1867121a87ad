import type { Stretch } from './format';

const COMMA = 44;
const QUOTE = 34;
const LINE_FEED = 10;

/**
 * Gives every line of a CSV file the same number of columns, by empty cells at its end.
 *
 * @param lines CSV with CRLF line ends, without its header
 * @param stretches what `lines` consists of
 * @param columns how many each line has to have, at least as many as any has
 */
export function addColumns(lines: Buffer, stretches: readonly Stretch[], columns: number): Buffer {
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
				: widen(stretch, columns - present, wider, to);
		from += bytes;
	}
	return wider;
}

/** @returns where the wider lines end in `wider` */
function widen(lines: Buffer, missing: number, wider: Buffer, start: number): number {
	let to = start;
	let isQuoted = false;
	let from = 0;
	for (let index = 0; index < lines.length; index++) {
		const byte = lines[index];
		// A quote inside a cell is doubled, so counting them tells where a cell's own line breaks are.
		if (byte === QUOTE) isQuoted = !isQuoted;
		if (byte !== LINE_FEED || isQuoted) continue;
		to += lines.copy(wider, to, from, index - 1);
		wider.fill(COMMA, to, to + missing);
		to += missing;
		to += lines.copy(wider, to, index - 1, index + 1);
		from = index + 1;
	}
	return to;
}
