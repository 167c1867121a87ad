// nodes/WorkspaceData/export/: writes lists as NDJSON and CSV files, and holds one file in memory at a time.

import type { INodeExecutionData } from 'n8n-workflow';

import { InputProblem } from '../../shared/errors/node-errors';
import type { Page } from '../../shared/lists/page';
import type { RawRecords } from '../../shared/client/raw-records';
import type { Task } from '../task';
import { CsvFormat } from './csv';
import { createNdjsonFormat, type FileFormat } from './file-format';
import { namesOfParts } from './file-name';
import type { FileKind, FileParameters } from './file-options';
import { quoted } from '../../shared/errors/words';
import { shown } from '../../shared/panel/read-parameters';

/** Facts about a file, for its output item. An interface could not be assigned to n8n's type of `json`. */
export type FileFacts = {
	fileName: string;
	/** Number of the file in its export, from 1. */
	part: number;
	records: number;
	bytes: number;
	/** Cursor of the first page. Null at the start of the list, and for lists that are read by page number. */
	firstCursor: string | null;
	lastCursor: string | null;
	/** Cursor to continue after this file. Null at the end of the list, and for lists that are read by page number. */
	nextCursor: string | null;
	/** Page Size with which `nextCursor` must be used. */
	pageSize: number | null;
	/** Number of records beyond the limit. They are in no file, and no cursor leads to them. */
	recordsLeftOut: number;
	/** True for the last file of a complete list. False if Limit ended the list, or if records may be missing. */
	isLast: boolean;
};

/** The records of a page, with the cursors to this page and to the next page. */
type PageForFile = { records: RawRecords } & Partial<
	Pick<Page, 'cursor' | 'nextCursor' | 'pageSize' | 'recordsLeftOut' | 'recordsMissing'>
>;

interface FileWriterSettings {
	fields: readonly string[] | undefined;
	/** Default file name. */
	name: string;
	/** Returns the json of a file's output item. The default is the FileFacts object, whose `isLast` is set later. */
	jsonOf?: (facts: FileFacts) => INodeExecutionData['json'];
}

const FORMATS: Record<
	FileKind,
	(files: FileParameters, fields: FileWriterSettings['fields']) => FileFormat
> = {
	csv: (files, fields) => new CsvFormat({ ...files, fields }),
	ndjson: (_files, fields) => createNdjsonFormat(fields),
};

const NO_CURSOR = { nextCursor: null, pageSize: null, recordsLeftOut: 0 };

/** Writes records into files, with one file in memory at a time. Throws InputProblem if n8n cannot store a file. */
export class FileWriter {
	private readonly task: Task;
	private readonly files: FileParameters;
	private readonly settings: FileWriterSettings;
	private readonly format: FileFormat;
	private readonly nameOf: (part: number) => string;
	private current: FileFacts | undefined;
	/** Bytes of the current file as UTF-8, because a string would take twice the memory. The next file reuses it. */
	private memory = Buffer.allocUnsafe(256 * 1024);
	/** Number of bytes written to `memory`. */
	private used = 0;
	private header = '';
	/** Each write to `memory`: line lengths in characters, number of columns, and byte offset after the lines. */
	private written: Array<{ lengths: number[]; columns: number; end: number }> = [];
	private lastStored: FileFacts | undefined;
	private isIncomplete = false;

	constructor(task: Task, files: FileParameters, settings: FileWriterSettings) {
		const { fields, name } = settings;
		this.task = task;
		this.files = files;
		this.settings = settings;
		this.format = FORMATS[files.kind](files, fields);
		const { extension } = this.format;
		const { nodeRun, context, itemIndex } = task;
		const round = Number(context.evaluateExpression('{{ $runIndex }}', itemIndex)) + 1;
		this.nameOf = namesOfParts(files.fileName ?? name, extension, nodeRun.fileNames, round);
	}

	/** Number of records that still fit into the current file. */
	private get recordsLeft(): number {
		return this.files.recordsPerFile - (this.current?.records ?? 0);
	}

	/** Writes a page to the current file. If the page does not fit, stores this file first and begins another file. */
	async add(page: PageForFile): Promise<void> {
		const { records, recordsLeftOut = 0, recordsMissing = 0 } = page;
		this.isIncomplete ||= recordsMissing > 0;
		const { cursor = null, nextCursor = null } = page;
		const end = { nextCursor, pageSize: nextCursor === null ? null : (page.pageSize ?? null) };
		const count = records.starts.length;
		if (count > this.recordsLeft) await this.flush();
		const lines = this.format.linesOf(records);
		const { columns = 0 } = this.format;
		// A page without wanted records adds nothing to the current file, but changes the file's `nextCursor`.
		if (count === 0 && this.current !== undefined) Object.assign(this.current, end);
		for (let from = 0; from < count; ) {
			if (this.recordsLeft <= 0) await this.flush();
			const current = (this.current ??= this.begin(cursor));
			const to = Math.min(count, from + this.recordsLeft);
			const part = lines.slice(from, to);
			this.write(part.join(''));
			const lengths = part.map(({ length }) => length);
			this.written.push({ lengths, columns, end: this.used });
			current.records += to - from;
			// A page larger than a file is split. Only its last part has a next cursor, because none leads into a page.
			const after = to === count ? { ...end, recordsLeftOut } : NO_CURSOR;
			Object.assign(current, { lastCursor: cursor, ...after });
			from = to;
		}
	}

	/** Stores the current file, even if the file is not full. Does nothing if there is no current file. */
	async flush(): Promise<void> {
		const facts = this.current;
		if (facts === undefined) return;
		this.current = undefined;
		const { context, output, itemIndex } = this.task;
		const { mimeType } = this.format;
		const bytes = this.wholeFile();
		facts.bytes = bytes.length;
		const binary = await context.helpers
			.prepareBinaryData(bytes, facts.fileName, mimeType)
			.catch((error: unknown) => {
				throw new InputProblem(
					`n8n could not store the file ${shown(facts.fileName)}`,
					`n8n says: ${quoted(error)}. Check the disk or the binary data storage of this n8n, or use fewer 'Records per File'.`,
				);
			});
		output.push({
			json: this.settings.jsonOf?.(facts) ?? facts,
			binary: { data: binary },
			pairedItem: { item: itemIndex },
		});
		this.lastStored = facts;
	}

	/** Ends the export and stores the last file. Stores an empty file if there was no record at all. */
	async finish(): Promise<void> {
		if (this.lastStored === undefined) this.current ??= this.begin(null);
		await this.flush();
		const last = this.lastStored;
		const isComplete = last?.recordsLeftOut === 0 && !this.isIncomplete;
		if (last !== undefined) last.isLast = isComplete && last.nextCursor === null;
	}

	private write(text: string): void {
		// A UTF-16 code unit needs at most three bytes in UTF-8.
		const needed = this.used + text.length * 3;
		if (needed > this.memory.length) {
			const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.memory.length * 1.5)));
			this.memory.copy(larger, 0, 0, this.used);
			this.memory = larger;
		}
		this.used += this.memory.write(text, this.used);
	}

	/** Returns the bytes of the current file. Copies them only if columns were added after the header was written. */
	private wholeFile(): Buffer {
		const { format, memory } = this;
		const header = format.header?.() ?? '';
		if (header === this.header) return memory.subarray(0, this.used);
		const parts = [Buffer.from(header)];
		let start = Buffer.byteLength(this.header);
		for (const { lengths, columns, end } of this.written) {
			const text = memory.toString('utf8', start, end);
			start = end;
			let offset = 0;
			const lines = lengths.map((length) => text.slice(offset, (offset += length)));
			parts.push(Buffer.from(lines.map((line) => format.widened?.(line, columns)).join('')));
		}
		return Buffer.concat(parts);
	}

	private begin(cursor: string | null): FileFacts {
		const part = (this.lastStored?.part ?? 0) + 1;
		this.used = 0;
		this.written = [];
		this.header = this.format.header?.() ?? '';
		this.write(this.header);
		return {
			fileName: this.nameOf(part),
			part,
			records: 0,
			bytes: 0,
			firstCursor: cursor,
			lastCursor: cursor,
			...NO_CURSOR,
			isLast: false,
		};
	}
}
