import type { INodeExecutionData } from 'n8n-workflow';

import { InputProblem } from '../../common/errors';
import type { Task } from '../task';
import { createCsvFormat } from './csv';
import { namesOfParts } from './file-name';
import { createNdjsonFormat } from './ndjson';
import type { FileParameters } from './parameters';
import type { FileFormat, RawRecords } from './raw-records';

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
	cursor?: string | null;
	nextCursor?: string | null;
	/** How many of the page's records are not wanted, of those that no cursor leads to. */
	recordsLeftOut?: number;
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
		const said = error instanceof Error ? error.message : String(error);
		super(
			`n8n could not store the file ${fileName}`,
			`n8n says: ${said}. Check the disk or the binary data storage of this n8n, or use fewer Records per File.${advice}`,
		);
	}
}

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
	/**
	 * The lines of the current file with the sizes of each, one entry for each page. Bytes, since strings of a file's size
	 * would double the memory when they are turned into bytes at the end.
	 */
	private pages: Array<{ bytes: Buffer; sizes: number[]; columns: number }> = [];
	private lastStored: FileFacts | undefined;

	constructor(task: Task, files: FileParameters, settings: FileWriterSettings) {
		const { fields, name } = settings;
		this.task = task;
		this.files = files;
		this.settings = settings;
		this.format =
			files.kind === 'ndjson' ? createNdjsonFormat(fields) : createCsvFormat({ ...files, fields });
		const { extension } = this.format;
		this.nameOf = namesOfParts(files.fileName ?? name, extension, task.fileNames);
	}

	/** How many more records the current file can hold, at least 1. */
	get room(): number {
		return this.files.recordsPerFile - (this.current?.records ?? 0);
	}

	/** Writes a page, and stores the file whenever it is full. */
	async add({ records, count, recordsLeftOut = 0, ...page }: PageForFile): Promise<void> {
		const { cursor = null, nextCursor = null } = page;
		const lines = this.format.linesOf(records, count);
		const columns = this.format.columns();
		const last = this.current ?? this.lastStored;
		// An empty page moves the place to continue from, or ends the list.
		if (count === 0 && last !== undefined) last.nextCursor = nextCursor;
		for (let from = 0; from < count; ) {
			const current = (this.current ??= this.begin(cursor));
			const to = Math.min(count, from + this.room);
			const added = lines.slice(from, to);
			const sizes = added.map((line) => Buffer.byteLength(line));
			this.pages.push({ bytes: Buffer.from(added.join('')), sizes, columns });
			current.records += to - from;
			current.lastCursor = cursor;
			current.nextCursor = to === count ? nextCursor : null;
			current.recordsLeftOut = to === count ? recordsLeftOut : 0;
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
		this.pages = [];
	}

	/** Ends the export: stores what is left, or an empty file when there was no record at all. */
	async finish(): Promise<void> {
		if (this.lastStored === undefined) this.current ??= this.begin(null);
		await this.flush();
		const last = this.lastStored;
		if (last !== undefined) last.isLast = last.recordsLeftOut === 0;
	}

	private wholeFile(): Buffer {
		const { header, missingAfter, lineEnd } = this.format;
		const parts = this.pages.flatMap(({ bytes, sizes, columns }) => {
			const missing = missingAfter(columns);
			if (missing === '') return [bytes];
			let end = 0;
			return sizes.flatMap((size) => {
				const cells = bytes.subarray(end, (end += size) - lineEnd.length);
				return [cells, Buffer.from(missing + lineEnd)];
			});
		});
		return Buffer.concat([Buffer.from(header()), ...parts]);
	}

	private begin(cursor: string | null): FileFacts {
		const part = (this.lastStored?.part ?? 0) + 1;
		return {
			fileName: this.nameOf(part),
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
