import type { RawRecords } from './raw-records';

/** The records of one page, ready to be written into files of a format. */
export interface FormattedPage {
	/** How many records the page has. */
	count: number;
	/** How many columns its lines have; 0 for a format without columns. */
	columns: number;
	/** The records from index `from` up to, not including, `to`, each with its line end. */
	textOf: (from: number, to: number) => string;
}

/** A file format that a list can be exported to. One object serves one export: it may remember what it has seen. */
export interface FileFormat {
	/** Without a dot. */
	extension: string;
	mimeType: string;
	/** What a file begins with. */
	header: () => string;
	/**
	 * Prepares the first `count` records of a page.
	 *
	 * @param count how many of the page's records are wanted
	 */
	format: (records: RawRecords, count: number) => FormattedPage;
	/**
	 * The lines of a file, all with as many columns as the header has now.
	 *
	 * @param lines the file without its header
	 * @param stretches what `lines` consists of, in order
	 */
	widen: (lines: Buffer, stretches: readonly Stretch[]) => Buffer;
}

/** Lines in a row with the same number of columns. */
export interface Stretch {
	columns: number;
	records: number;
	bytes: number;
}
