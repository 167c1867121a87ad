import { FIRST_PAGE_SIZE } from '../../client/page-size';
import type { Page, PagingOptions } from '../../client/pages';
import type { Task } from '../task';

/** Executions that were told already: one input item is enough. */
const told = new WeakSet<Task['context']>();

/**
 * Tells the user where a page was cut to Limit, since what comes out then has no cursor to go on from. Old versions of
 * n8n have no such hints.
 */
export class LeftOut {
	private readonly task: Task;
	private readonly paging: PagingOptions;
	private firstPage: number | undefined;

	constructor(task: Task, paging: PagingOptions) {
		this.task = task;
		this.paging = paging;
	}

	/** Looks at each page of the list, the first one included: its size says what a page of this service holds. */
	look({ envelope, recordsLeftOut }: Page): void {
		this.firstPage ??= envelope.data.items.length + recordsLeftOut;
		const { context } = this.task;
		if (recordsLeftOut === 0 || told.has(context)) return;
		told.add(context);
		const { pageSize = FIRST_PAGE_SIZE, maximum = pageSize } = this.paging;
		context.addExecutionHints?.({
			message: `The service gave more records than were asked for. The last ${recordsLeftOut} were left out to keep to <b>Limit</b>, and there is no cursor that leads to them. To go on from where this list ends, turn on <b>Return All</b>, or set <b>Page Size</b> to ${Math.min(pageSize, maximum)} and <b>Limit</b> to a multiple of ${this.firstPage}, which is what one page of this service held.`,
			location: 'outputPane',
		});
	}
}
