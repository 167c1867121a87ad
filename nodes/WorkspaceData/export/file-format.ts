import type { RawRecords } from '../../lists/raw-records';

/** A file format that a list can be exported to. One object serves one export: it may remember what it has seen. */
export interface FileFormat {
	/** Without a dot. */
	extension: string;
	mimeType: string;
	lineEnd: string;
	/** What a file begins with, by the columns that there are now. */
	header: () => string;
	/** The lines of the first `count` records of a page, all with as many columns as there are then. */
	linesOf: (records: RawRecords, count: number) => string[];
	/** How many columns lines have now; 0 for a format without columns. */
	columns: () => number;
	/** What a line with so many columns lacks before its end, to have as many as there are now. */
	missingAfter: (columns: number) => string;
	/** What a person should know of the lines made so far, as a hint of n8n; undefined where there is nothing. */
	warning: () => string | undefined;
}
