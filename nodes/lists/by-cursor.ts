// nodes/lists/: the pages of a list, by cursor and by number. Holds the client, knows nothing of n8n.

import { contextIdOf } from '../client/envelope';
import { asServiceFailure, ServiceFailure } from '../client/failures';
import { countOf, givenPage, listRequest, pageOf, recordKey } from './page';
import type { FetchedPage, List, Page } from './page';
import { isOfLimit, PageQuestions } from './page-questions';
import type { CursorReading, Found, Position } from './page-questions';
import { FIRST_PAGE_SIZE, limitsOfTrial } from './page-size';

/** So long may a service answer empty pages with ever new cursors. */
const LONGEST_EMPTY_MS = 5 * 60_000;

/** Reads a list by cursors (docs/maintainers/how-a-list-is-read.md). One that would be endless ends in an error. */
export class CursorReader {
	private readonly list: List;
	private readonly reading: CursorReading;
	private readonly questions: PageQuestions;
	private readonly used: Set<string | undefined>;
	private isOver = false;

	constructor(list: List, reading: CursorReading) {
		this.list = list;
		this.reading = reading;
		this.questions = new PageQuestions(reading);
		this.used = new Set([reading.startCursor]);
	}

	/** The pages in order. Throws ServiceFailure, which says the page, the records read, and the cursor to continue with. */
	async *pages(): AsyncGenerator<Page, void> {
		let position = this.start();
		let ahead: Promise<Found> | undefined;
		try {
			for (;;) {
				const found = await (ahead ?? this.fetch(position));
				const next = this.positionAfter(position, found);
				const goesOn = next !== undefined && !(next instanceof ServiceFailure);
				ahead = goesOn && this.reading.readsAhead ? this.fetch(next) : undefined;
				// A failure that nobody waits for yet must not end n8n's process.
				ahead?.catch(() => undefined);
				if (position.recordsGiven < (this.reading.maximum ?? Infinity))
					yield this.pageAt(position, found, next);
				if (next === undefined) return;
				if (next instanceof ServiceFailure) throw next;
				position = next;
			}
		} catch (error) {
			throw this.failureAt(position, asServiceFailure(error));
		} finally {
			this.isOver = true;
		}
	}

	private start(): Position {
		const { startCursor: cursor, pageSize } = this.reading;
		const limit = cursor === undefined ? undefined : pageSize;
		const read = { number: 1, recordsRead: 0, recordsGiven: 0, lastTime: null };
		return { cursor, limit, resume: { nextCursor: cursor, limit }, ...read };
	}

	private async fetch(position: Position): Promise<Found> {
		const { client, source, limits } = this.list;
		const { sort } = this.reading;
		const questions = this.questions.at(position);
		let step = questions.next();
		while (!step.done) {
			const { cursor, limit, isTrial } = step.value;
			const page = cursor === undefined ? { limit, sort } : { limit, cursor };
			let answer: FetchedPage | ServiceFailure;
			try {
				const ofRequest = isTrial ? limitsOfTrial(limits()) : limits();
				const request = listRequest(source, page);
				answer = pageOf(await client(request, ofRequest, () => !this.isOver), limit);
			} catch (error) {
				answer = asServiceFailure(error);
			}
			step = questions.next(answer);
		}
		return step.value;
	}

	/** Where the list goes on: undefined at its end, a failure where the page is good and nothing after it. */
	private positionAfter(position: Position, { page, failure }: Found) {
		const { now, sort } = this.reading;
		const { nextCursor, limit, envelope } = page;
		const { indexes, isCut, isEnough, isUndated, lastTime } = this.questions.select(position, page);
		const count = countOf(page);
		const recordsRead = position.recordsRead + count;
		const ctxId = contextIdOf(envelope);
		const facts = { recordsRead, received: count, ctxId, nextCursor: undefined };
		const ends = count === 0 ? undefined : endsOf(page, sort);
		// Where cursors are positions, as many new records as a page holds make it come twice without being stuck.
		const grownBy = (page.total ?? 0) - (position.total ?? 0);
		if (ends !== undefined && ends === position.ends && grownBy < count)
			throw new ServiceFailure('repeatedPage', { ...facts, recordsRead: position.recordsRead });
		// Also when no more is wanted, since a later run that continues here would loop.
		if (nextCursor !== undefined && this.used.has(nextCursor))
			return new ServiceFailure('repeatedPage', facts);
		if (nextCursor === undefined || isEnough) {
			if (!isUndated || recordsRead === 0) return failure?.with(facts);
			return new ServiceFailure('undatedList', { ...facts, dateField: sort });
		}
		this.used.add(nextCursor);
		const resume = count > 0 && !isCut ? { nextCursor, limit } : position.resume;
		const emptySinceMs = count > 0 ? undefined : (position.emptySinceMs ?? now());
		if (now() - (emptySinceMs ?? now()) >= LONGEST_EMPTY_MS)
			return new ServiceFailure('emptyPages', { ...facts, ...resume });
		const recordsGiven = position.recordsGiven + indexes.length;
		const read = { number: position.number + 1, recordsRead, recordsGiven, lastTime };
		return { cursor: nextCursor, limit, resume, ends, total: page.total, emptySinceMs, ...read };
	}

	private pageAt(position: Position, { page }: Found, next?: Position | ServiceFailure): Page {
		const { recordsLeftOut, indexes, isCut } = this.questions.select(position, page);
		const isRepeated = next instanceof ServiceFailure && next.kind === 'repeatedPage';
		const nextCursor = isCut || isRepeated ? undefined : page.nextCursor;
		// An empty page's cursor adds nothing to the one before it.
		const isEmpty = countOf(page) === 0 && nextCursor !== undefined;
		return {
			...givenPage(page, indexes, recordsLeftOut, isEmpty ? undefined : nextCursor),
			number: position.number,
			recordsRead: position.recordsRead + countOf(page) - recordsLeftOut,
			cursor: position.resume.nextCursor,
			nextCursor: isEmpty ? position.resume.nextCursor : nextCursor,
			isLast: next === undefined || next instanceof ServiceFailure,
		};
	}

	private failureAt(position: Position, failure: ServiceFailure): ServiceFailure {
		const { number: page, recordsRead, resume, limit = this.reading.sizes.first } = position;
		const { facts } = failure;
		const isLarge = this.reading.pageSize === undefined && limit > FIRST_PAGE_SIZE;
		// A rate limit or a refused key would fail with any limit.
		const isChosenLimit = isLarge && (facts.gaveUp === 'retriesUsed' || isOfLimit(failure));
		return failure.with({ page, recordsRead, ...resume, isChosenLimit, ...facts });
	}
}

/** What tells a page from others: how many records it has, and the first and the last of them. */
function endsOf(page: FetchedPage, sort: string): string {
	const count = countOf(page);
	const [first, last] = [0, count - 1].map((index) => recordKey(page, index, sort));
	return JSON.stringify([count, first, last]);
}
