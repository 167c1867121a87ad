import type { RawRecords } from './raw-records';

/** The records of one page, ready to be written into files of a format. */
export interface FormattedPage {
	/** How many records the page has. */
	count: number;
	/** The page has fields that the header of the file under way lacks; it must go into a new file. */
	needsNewFile: boolean;
	/** The records from index `from` up to, not including, `to`, each with its line end. */
	textOf: (from: number, to: number) => string;
}

/** A file format that a list can be exported to. One object serves one export: it may remember what it has seen. */
export interface FileFormat {
	/** Without a dot. */
	extension: string;
	mimeType: string;
	/** What a file begins with. Asked for after the first page of that file was given to `format`. */
	header: () => string;
	/**
	 * Prepares the first `count` records of a page.
	 *
	 * @param count how many of the page's records are wanted
	 */
	format: (records: RawRecords, count: number) => FormattedPage;
}
