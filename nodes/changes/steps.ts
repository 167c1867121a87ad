import { ServiceFailure } from '../client/failures';
import type { Page } from '../client/pages';
import type { Reader } from './settings';

/**
 * Reads pages one after the other. A failure comes as the last step instead of being thrown, since what to do
 * about it depends on what was read before it.
 *
 * @param jumpTo asked after each page: a cursor to read on with instead of the page's own, or null
 */
export async function* readSteps(
	reader: Reader,
	cursor: string | null,
	jumpTo: () => string | null = () => null,
): AsyncGenerator<Page | ServiceFailure, void> {
	let pages = reader.pages(cursor)[Symbol.asyncIterator]();
	for (;;) {
		const next = await pages.next().catch(asFailure);
		if (next instanceof ServiceFailure) {
			yield next;
			return;
		}
		if (next.done) return;
		yield next.value;
		const jump = jumpTo();
		if (jump !== null) pages = reader.pages(jump)[Symbol.asyncIterator]();
	}
}

/** Without the place in the list: it would advise to go on by hand, which the next poll does by itself. */
function asFailure(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure)) throw error;
	const { recordsRead } = error.kind === 'incompleteList' ? error.facts : {};
	return error.with({ page: undefined, recordsRead, nextCursor: undefined });
}
