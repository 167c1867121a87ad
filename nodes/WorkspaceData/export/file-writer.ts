import type { RawRecords } from './raw-records';

/** What an item of a file says about it. A type and not an interface, so that it fits n8n's item json. */
export type FileFacts = {
	fileName: string;
	/** The file's number in this export, from 1. */
	part: number;
	records: number;
	bytes: number;
	/** The cursor that the file's first page was asked for with; null for the start of the list and in page mode. */
	firstCursor: string | null;
	/** The same for its last page. */
	lastCursor: string | null;
	/** Where to continue after this file; null at the end of the list, in page mode, and where a file ends inside a page. */
	nextCursor: string | null;
	/** Records of the file's last page that are past the maximum of the export: in no file, and without a cursor to them. */
	recordsLeftOut: number;
	/** True for the last file of an export that reached the end of the list, without a truncated page. */
	isLast: boolean;
};

/** One page of records with its place in the list. */
export interface PageForFile {
	records: RawRecords;
	/** How many of the page's records are wanted; the first ones. */
	count: number;
	cursor?: string;
	nextCursor?: string;
	/** How many of the page's records are not wanted, of those that no cursor leads to. */
	recordsLeftOut: number;
}

/** How an export is divided into files. */
export interface FileWriterSettings {
	format: FileFormat;
	/** Most records in one file, at least 1. */
	recordsPerFile: number;
	nameOf: (part: number) => string;
	/**
	 * Takes a finished file. The bytes are overwritten after it has resolved. The facts stay the writer's, which
	 * may still set `isLast`.
	 */
	store: (bytes: Buffer, facts: FileFacts) => Promise<void>;
}

/** Writes pages of records into files, of which it holds one at a time. Each file is stored as soon as it is full. */
export class FileWriter {
	private readonly settings: FileWriterSettings;
	private readonly buffer = new PartBuffer();
	private current: FileFacts | undefined;
	/** What the buffer holds besides the header. */
	private stretches: Stretch[] = [];
	private header = '';
	private lastStored: FileFacts | undefined;

	constructor(settings: FileWriterSettings) {
		this.settings = settings;
	}

	/** How many more records the current file can hold, at least 1. */
	get room(): number {
		return this.settings.recordsPerFile - (this.current?.records ?? 0);
	}

	/** Writes a page, and stores the file whenever it is full. */
	async add(page: PageForFile): Promise<void> {
		const formatted = this.settings.format.format(page.records, page.count);
		const last = this.current ?? this.lastStored;
		// An empty page moves the place to continue from, or ends the list.
		if (formatted.count === 0 && last !== undefined) last.nextCursor = page.nextCursor ?? null;
		for (let written = 0; written < formatted.count; ) {
			written += this.write(page, formatted, written);
			if (this.room <= 0) await this.flush();
		}
	}

	/** Stores the current file, if there is one, however little it holds. */
	async flush(): Promise<void> {
		if (this.current === undefined) return;
		const facts = this.current;
		const bytes = this.wholeFile();
		facts.bytes = bytes.length;
		await this.settings.store(bytes, facts);
		this.lastStored = facts;
		this.current = undefined;
		this.buffer.clear();
	}

	/** Ends the export: stores what is left, or an empty file when there was no record at all. */
	async finish(): Promise<void> {
		if (this.lastStored === undefined) this.current ??= this.begin(null);
		await this.flush();
		const last = this.lastStored;
		if (last !== undefined) last.isLast = last.recordsLeftOut === 0;
	}

	private write(page: PageForFile, formatted: FormattedPage, from: number): number {
		const current = (this.current ??= this.begin(page.cursor ?? null));
		const to = Math.min(formatted.count, from + this.room);
		this.append(formatted, from, to);
		current.records += to - from;
		current.lastCursor = page.cursor ?? null;
		const isPageDone = to === formatted.count;
		current.nextCursor = isPageDone ? (page.nextCursor ?? null) : null;
		current.recordsLeftOut = isPageDone ? page.recordsLeftOut : 0;
		return to - from;
	}

	private append({ columns, textOf }: FormattedPage, from: number, to: number): void {
		const bytes = this.buffer.append(textOf(from, to));
		let last = this.stretches.at(-1);
		if (last?.columns !== columns) {
			last = { columns, records: 0, bytes: 0 };
			this.stretches.push(last);
		}
		last.records += to - from;
		last.bytes += bytes;
	}

	/** Copied only where columns came after the header was written. */
	private wholeFile(): Buffer {
		const { format } = this.settings;
		const { bytes } = this.buffer;
		const header = format.header();
		if (header === this.header) return bytes;
		const lines = bytes.subarray(Buffer.byteLength(this.header));
		return Buffer.concat([Buffer.from(header), format.widen(lines, this.stretches)]);
	}

	private begin(cursor: string | null): FileFacts {
		const part = (this.lastStored?.part ?? 0) + 1;
		this.header = this.settings.format.header();
		this.buffer.append(this.header);
		this.stretches = [];
		return {
			fileName: this.settings.nameOf(part),
			part,
			records: 0,
			bytes: 0,
			firstCursor: cursor,
			lastCursor: cursor,
			nextCursor: null,
			recordsLeftOut: 0,
			isLast: false,
		};
	}
}

const FIRST_CAPACITY_BYTES = 256 * 1024;

/**
 * Collects the text of one file as UTF-8. It holds bytes, since strings of a file's size would double the memory
 * when they are turned into bytes at the end; and it is used again for the next file, so that an export of any
 * number of files needs the memory of one.
 */
export class PartBuffer {
	private memory = Buffer.allocUnsafe(FIRST_CAPACITY_BYTES);
	private used = 0;

	/** Adds text at the end and tells how many bytes it has. */
	append(text: string): number {
		const needed = this.used + Buffer.byteLength(text);
		if (needed > this.memory.length) this.growTo(needed);
		const written = this.memory.write(text, this.used);
		this.used += written;
		return written;
	}

	/** What was collected: a view that holds until the next `append` after `clear`. */
	get bytes(): Buffer {
		return this.memory.subarray(0, this.used);
	}

	/** Starts over, keeping the memory. */
	clear(): void {
		this.used = 0;
	}

	private growTo(needed: number): void {
		const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.memory.length * 1.5)));
		this.memory.copy(larger, 0, 0, this.used);
		this.memory = larger;
	}
}

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
