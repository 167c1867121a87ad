import type { PageSize } from '../../client/page-size';
import type { Task } from '../task';

/** From this many pages on, their size is what the time of a list depends on. */
const MANY_PAGES = 50;
/** A service that gives at least so many records per page is not to blame. */
const SMALL_PAGE = 500;

/** Executions that were told already: one input item is enough. */
const told = new WeakSet<Task['context']>();

/**
 * Tells the user why a list took many requests, where the service allows no larger pages than it used. Old versions of
 * n8n have no such hints.
 *
 * @param pages how many pages the list had
 */
export function tellOfSmallPages({ context, session }: Task, pages: number): void {
	const reason = reasonOf(session.pageSize);
	if (pages < MANY_PAGES || reason === undefined || told.has(context)) return;
	told.add(context);
	context.addExecutionHints?.({
		message: `This list took ${pages.toLocaleString('en-US')} requests, since ${reason}.`,
		location: 'outputPane',
	});
}

function reasonOf({ end, size, mostReceived }: PageSize): string | undefined {
	if (end === 'gaveFewer' && mostReceived < SMALL_PAGE) {
		return `the service gave at most ${mostReceived} records per page`;
	}
	if (end === 'refused' && size < SMALL_PAGE) {
		return `the service did not answer requests for more than ${size} records per page`;
	}
	return undefined;
}
