import type { Reader } from '../../changes/poll-types';
import type { Page } from '../../client/pages';
import { findRecords, type RawRecords } from '../export/raw-records';

/**
 * Finds the text of every record for as long as the record is in memory, so that files hold what the service sent, to the
 * letter. A stretch of changes may have records of many pages, and most pages may have none that is new.
 */
export class RecordTexts {
	private readonly origins = new WeakMap<object, { text: string; place: number }>();

	/** The same reader, whose pages are remembered. */
	remember(reader: Reader): Reader {
		return { ...reader, pages: (from) => this.noted(reader.pages(from)) };
	}

	/** The texts of these records, in their order: one group for each page that they came in. */
	of(records: ReadonlyArray<Record<string, unknown>>): RawRecords[] {
		const groups: RawRecords[] = [];
		let page: RawRecords | undefined;
		for (const record of records) {
			const { text, place } = this.origins.get(record) ?? {};
			if (text === undefined || place === undefined) throw new RangeError('Not of this reader');
			if (page?.text !== text) {
				page = findRecords(text);
				groups.push({ text, starts: [], ends: [] });
			}
			const group = groups[groups.length - 1];
			group.starts.push(page.starts[place]);
			group.ends.push(page.ends[place]);
		}
		return groups;
	}

	private async *noted(pages: AsyncIterable<Page>): AsyncGenerator<Page, void> {
		for await (const page of pages) {
			const { envelope, text } = page;
			for (const [place, record] of envelope.data.items.entries())
				this.origins.set(record, { text, place });
			yield page;
		}
	}
}
