// nodes/WorkspaceData/list/: operations that read records page by page: Get Many and Query, as items, pages or files.

import { ServiceFailure } from '../../client/failures';
import { truncate, type CursorSort, type Page } from '../../client/pages';
import { goesDown, timeOf } from '../../common/dates';
import { findRecords } from '../export/raw-records';

/**
 * Of a list's pages, up to `maximum` records whose date in `sort`, which orders the list, is after `afterMs` (since
 * 1970), or that have none. Pages without any of them are skipped, except the first. Throws ServiceFailure
 * `notAscending` where dates go down within a page (docs/assumptions.md, A1).
 */
export async function* onlyChangedAfter(
	pages: AsyncIterable<Page>,
	{ afterMs, sort, maximum = Infinity }: { afterMs: number; sort: CursorSort; maximum?: number },
): AsyncGenerator<Page, void> {
	let returned = 0;
	for await (const page of pages) {
		const times = page.envelope.data.items.map((record) => timeOf(record[sort]));
		const { number, recordsRead } = page;
		if (goesDown(times)) throw new ServiceFailure('notAscending', { page: number, recordsRead });
		const kept = keepRecords(page, (place) => isLater(times[place], afterMs));
		kept.recordsLeftOut += truncate(kept, maximum - returned);
		returned += kept.envelope.data.items.length;
		if (kept.envelope.data.items.length > 0 || number === 1) yield kept;
		if (returned >= maximum) return;
	}
}

/** A record without a date may have changed at any time. */
export function isLater(time: number | null, afterMs: number): boolean {
	return time === null || time > afterMs;
}

/** A page with some of its records only, in its text too, which files are made of. */
function keepRecords(page: Page, isKept: (place: number) => boolean): Page {
	const { items } = page.envelope.data;
	const records = items.filter((_record, place) => isKept(place));
	if (records.length === items.length) return page;
	const { starts, ends } = findRecords(page.text);
	const texts = starts.map((start, place) => page.text.slice(start, ends[place]));
	const text = `{"data":{"items":[${texts.filter((_text, place) => isKept(place)).join()}]}}`;
	const data = { ...page.envelope.data, items: records };
	return { ...page, text, envelope: { ...page.envelope, data } };
}
