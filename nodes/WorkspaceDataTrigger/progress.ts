import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../client/envelope';
import type { Reader } from '../changes/settings';

/** How far the first reading of a list has come. */
export interface Progress {
	/** Records that were passed, those of earlier polls included; some may count twice. */
	recordsRead: number;
	/** Records of the list, as the service said last. */
	recordsTotal: number;
}

/** Where it lies in the node's static data while the first reading is under way. */
const PROGRESS_KEY = 'firstReading';

/** By trigger, since n8n stores static data only when records are given out. Other processes do not know of it. */
const latest = new Map<string, Progress | 'done'>();

/** Counts what a trigger reads until it has come to the end of the list for the first time. */
export class FirstReading {
	private readonly key: string;
	private progress: Progress | undefined;

	/**
	 * @param key the same in every poll of a trigger, and in no other
	 * @param isStart true for the poll that starts a trigger
	 */
	constructor(key: string, staticData: IDataObject, isStart: boolean) {
		this.key = key;
		if (isStart) this.progress = { recordsRead: 0, recordsTotal: 0 };
		else this.progress = readProgress(staticData[PROGRESS_KEY]);
	}

	/** The same reader, counted. */
	count(reader: Reader): Reader {
		const pages = (cursor: string | null): ReturnType<Reader['pages']> =>
			this.countPages(reader.pages(cursor));
		return { ...reader, pages };
	}

	private async *countPages(pages: ReturnType<Reader['pages']>): ReturnType<Reader['pages']> {
		for await (const page of pages) {
			const { data, meta } = page.envelope;
			const { total } = meta.pagination;
			if (this.progress !== undefined && typeof total === 'number') {
				const recordsRead = Math.min(this.progress.recordsRead + data.items.length, total);
				this.progress = { recordsRead, recordsTotal: total };
			}
			if (page.nextCursor === undefined) this.progress = undefined;
			yield page;
		}
	}

	/**
	 * To be called once a poll has succeeded.
	 *
	 * @returns what it has come to, undefined once it is done
	 */
	save(staticData: IDataObject): Progress | undefined {
		const { progress } = this;
		latest.set(this.key, progress ?? 'done');
		if (progress !== undefined) staticData[PROGRESS_KEY] = { ...progress };
		else if (PROGRESS_KEY in staticData) delete staticData[PROGRESS_KEY];
		return progress;
	}
}

/**
 * What a person is shown of it: one item, in words and in numbers.
 *
 * @param hasStarted whether the static data tells that the trigger has polled
 */
export function shownProgress(
	key: string,
	staticData: IDataObject,
	hasStarted: boolean,
): IDataObject {
	const progress = latest.get(key) ?? readProgress(staticData[PROGRESS_KEY]);
	if (progress === 'done' || (progress === undefined && hasStarted)) {
		return { progress: 'What existed at the start has been read. The trigger waits for changes.' };
	}
	if (progress === undefined) {
		return {
			progress:
				"Not known here: the workflow is not active, has not polled since n8n started, or polls in another process. n8n's log has a line for every poll of the first reading.",
		};
	}
	return { progress: `${sayProgress(progress)}.`, ...progress };
}

/** In words, for example "About 1,200 of the 2,503 records that exist are read". */
export function sayProgress({ recordsRead, recordsTotal }: Progress): string {
	const [read, total] = [recordsRead, recordsTotal].map((count) => count.toLocaleString('en-US'));
	return `About ${read} of the ${total} records that exist are read`;
}

function readProgress(value: unknown): Progress | undefined {
	if (!isObject(value)) return undefined;
	const { recordsRead, recordsTotal } = value;
	if (typeof recordsRead !== 'number' || typeof recordsTotal !== 'number') return undefined;
	return { recordsRead, recordsTotal };
}
