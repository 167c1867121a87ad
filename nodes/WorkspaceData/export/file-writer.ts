import type { INodeExecutionData } from 'n8n-workflow';

import { InputProblem } from '../../common/errors';
import type { Page } from '../../lists/page';
import type { RawRecords } from '../../lists/raw-records';
import { hintOnce } from '../hints';
import type { Task } from '../task';
import { CsvFormat } from './csv';
import { createNdjsonFormat, type FileFormat } from './file-format';
import { namesOfParts } from './file-name';
import type { FileParameters } from './parameters';
import { wordsOf } from '../../common/words';

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
	/** Where to continue after this file, and the `limit` that it came with; null at the end of the list and in page mode. */
	nextCursor: string | null;
	limit: number | null;
	/** Records of the file's last page that are past the maximum of the export: in no file, and without a cursor to them. */
	recordsLeftOut: number;
	/** True for the last file of an export that reached the end of the list, without a truncated page. */
	isLast: boolean;
};

/** One page of records with its place in the list. */
export type PageForFile = { records: RawRecords } & Partial<
	Pick<Page, 'cursor' | 'nextCursor' | 'limit' | 'recordsLeftOut'>
>;

/** Lines that were written together. */
interface Lines {
	/** How many characters each has. */
	lengths: number[];
	/** How many columns they have. */
	columns: number;
	/** How many bytes the file has with them. */
	end: number;
}

/** What an export to files consists of, besides what the user chose in `FileParameters`. */
export interface FileWriterSettings {
	/** Top-level fields to keep; undefined keeps all. */
	fields: readonly string[] | undefined;
	/** Names the files where the user does not. */
	name: string;
	/** What the item of a file says. The facts stay the writer's, which may still set `nextCursor` and `isLast`. */
	jsonOf?: (facts: FileFacts) => INodeExecutionData['json'];
	/** How to continue, after a space, where n8n cannot store this file. */
	adviceFor?: (facts: FileFacts) => string;
}

/** n8n could not keep a file. Carries what the user needs to go on, like every error of an export. */
export class StorageProblem extends InputProblem {
	override name = 'StorageProblem';

	constructor(fileName: string, error: unknown, advice: string) {
		const said = wordsOf(error);
		super(
			`n8n could not store the file ${fileName}`,
			`n8n says: ${said}. Check the disk or the binary data storage of this n8n, or use fewer 'Records per File'.${advice}`,
		);
	}
}

const NO_PLACE = { nextCursor: null, limit: null, recordsLeftOut: 0 };

/**
 * Writes pages of records into files, of which it holds one at a time. Each file is handed to n8n as soon as it is full,
 * and becomes an item of the task's output. Everything that does so throws StorageProblem when n8n cannot store it.
 */
export class FileWriter {
	private readonly task: Task;
	private readonly files: FileParameters;
	private readonly settings: FileWriterSettings;
	private readonly format: FileFormat;
	private readonly nameOf: (part: number) => string;
	private current: FileFacts | undefined;
	/** The file under way as UTF-8: as a string, it would take twice the memory at its end. The next file uses it again. */
	private memory = Buffer.allocUnsafe(256 * 1024);
	private used = 0;
	/** What it was begun with, and the lines after that. */
	private header = '';
	private lines: Lines[] = [];
	private lastStored: FileFacts | undefined;

	constructor(task: Task, files: FileParameters, settings: FileWriterSettings) {
		const { fields, name } = settings;
		this.task = task;
		this.files = files;
		this.settings = settings;
		this.format =
			files.kind === 'ndjson' ? createNdjsonFormat(fields) : new CsvFormat({ ...files, fields });
		const { extension } = this.format;
		this.nameOf = namesOfParts(files.fileName ?? name, extension, task.fileNames);
	}

	/** How many more records the current file can hold, at least 1. */
	get room(): number {
		return this.files.recordsPerFile - (this.current?.records ?? 0);
	}

	/** Writes a page, and stores the file whenever it is full. A file ends with the last page that fits into it. */
	async add({ records, recordsLeftOut = 0, ...page }: PageForFile): Promise<void> {
		const { cursor = null, nextCursor = null } = page;
		const end = { nextCursor, limit: nextCursor === null ? null : (page.limit ?? null) };
		const count = records.starts.length;
		if (count > this.room) await this.flush();
		const lines = this.format.linesOf(records);
		// A page of which nothing is wanted moves the place to continue from, or ends the list.
		if (count === 0) Object.assign(this.current ?? this.lastStored ?? {}, end);
		for (let from = 0; from < count; ) {
			const current = (this.current ??= this.begin(cursor));
			const to = Math.min(count, from + this.room);
			this.addLines(lines.slice(from, to));
			current.records += to - from;
			// Only a page with more records than a file may hold goes into several; no cursor leads into its middle.
			const isWhole = to === count;
			const place = isWhole ? { ...end, recordsLeftOut } : NO_PLACE;
			Object.assign(current, { lastCursor: cursor, ...place });
			from = to;
			if (this.room <= 0) await this.flush();
		}
	}

	/** Stores the current file, if there is one, however little it holds. */
	async flush(): Promise<void> {
		const facts = this.current;
		if (facts === undefined) return;
		const { context, output, itemIndex } = this.task;
		const { jsonOf, adviceFor } = this.settings;
		const { fileName } = facts;
		const bytes = this.wholeFile();
		facts.bytes = bytes.length;
		const binary = await context.helpers
			.prepareBinaryData(bytes, fileName, this.format.mimeType)
			.catch((error: unknown) => {
				throw new StorageProblem(fileName, error, adviceFor?.(facts) ?? '');
			});
		output.push({
			json: jsonOf?.(facts) ?? facts,
			binary: { [this.files.binaryPropertyName]: binary },
			pairedItem: { item: itemIndex },
		});
		this.lastStored = facts;
		this.current = undefined;
		const { warning } = this.format;
		if (warning !== undefined) hintOnce(context, 'file format', warning);
	}

	/** Ends the export: stores what is left, or an empty file when there was no record at all. */
	async finish(): Promise<void> {
		if (this.lastStored === undefined) this.current ??= this.begin(null);
		await this.flush();
		const last = this.lastStored;
		if (last !== undefined) last.isLast = last.recordsLeftOut === 0;
	}

	private addLines(lines: string[]): void {
		this.write(lines.join(''));
		const lengths = lines.map(({ length }) => length);
		this.lines.push({ lengths, columns: this.format.columns ?? 0, end: this.used });
	}

	private write(text: string): void {
		// A character needs three bytes at most.
		const needed = this.used + text.length * 3;
		if (needed > this.memory.length) {
			const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.memory.length * 1.5)));
			this.memory.copy(larger, 0, 0, this.used);
			this.memory = larger;
		}
		this.used += this.memory.write(text, this.used);
	}

	/** Copied only where columns came after the header was written. */
	private wholeFile(): Buffer {
		const { format, memory } = this;
		const header = format.header?.() ?? '';
		if (header === this.header) return memory.subarray(0, this.used);
		const parts = [Buffer.from(header)];
		let start = Buffer.byteLength(this.header);
		for (const { lengths, columns, end } of this.lines) {
			const text = memory.toString('utf8', start, end);
			start = end;
			let place = 0;
			const lines = lengths.map((length) => text.slice(place, (place += length)));
			parts.push(Buffer.from(lines.map((line) => format.widened?.(line, columns)).join('')));
		}
		return Buffer.concat(parts);
	}

	private begin(cursor: string | null): FileFacts {
		const part = (this.lastStored?.part ?? 0) + 1;
		this.used = 0;
		this.lines = [];
		this.header = this.format.header?.() ?? '';
		this.write(this.header);
		return {
			fileName: this.nameOf(part),
			part,
			records: 0,
			bytes: 0,
			firstCursor: cursor,
			lastCursor: cursor,
			...NO_PLACE,
			isLast: false,
		};
	}
}
