import { parseJson } from './envelope';
import type { PageRequest } from './pages';
import type { Answer, AnswerHooks } from './request';

/** Sends the request for one page, with the hooks of `Client.answer`. */
export type SendPage = (request: PageRequest, hooks: AnswerHooks) => Promise<Answer>;

/** The request that comes next when a page is full and names this cursor; undefined when that page is the last wanted. */
export type NextRequest = (nextCursor: string) => PageRequest | undefined;

/** A request that was sent before it was asked for. */
interface Sent {
	request: PageRequest;
	answer: Promise<Answer>;
	/** Tells it that it is asked for now, and what may follow it. */
	take: (next: NextRequest) => void;
	/** Nobody will ask for it any more: no further attempt is made. */
	abandon: () => void;
}

/**
 * Reads one page ahead: sends the request for the next page as soon as the text of this one is there, so that the
 * service works on it while this one is parsed and handled. At most one page is ahead, however slowly pages are
 * taken. What is sent ahead is a guess: the cursor from the text, the limit as if the page were full. After a wrong
 * guess (the service's pages are shorter than asked for) the page is requested anew and nothing more is sent ahead,
 * so it costs one request and never a record.
 */
export class ReadAhead {
	private readonly send: SendPage;
	private readonly nextTurn: () => Promise<void>;
	private ahead: Sent | undefined;
	private guessesRight = true;

	/** @param nextTurn resolves when what was just begun is on its way; parsing at once would hold it back */
	constructor(send: SendPage, nextTurn: () => Promise<void>) {
		this.send = send;
		this.nextTurn = nextTurn;
	}

	/** The answer for this page, from the request sent ahead if it was this one. Throws what sending it throws. */
	async fetch(request: PageRequest, next: NextRequest): Promise<Answer> {
		const sent = this.takeAhead(request) ?? this.begin(request);
		sent.take(next);
		return await sent.answer;
	}

	/** Ends the reading: a request that is still ahead is not sent again. */
	stop(): void {
		this.ahead?.abandon();
		this.ahead = undefined;
	}

	private takeAhead(request: PageRequest): Sent | undefined {
		const { ahead } = this;
		if (ahead === undefined) return undefined;
		this.ahead = undefined;
		if (isSame(ahead.request, request)) return ahead;
		this.guessesRight = false;
		ahead.abandon();
		return undefined;
	}

	private begin(request: PageRequest): Sent {
		let take: Sent['take'] = () => {};
		const taken = new Promise<NextRequest>((resolve) => (take = resolve));
		let isWanted = true;
		const answer = this.send(request, {
			isWanted: () => isWanted,
			onText: async (text) => await this.sendNext(text, await taken),
		});
		// Whoever takes it gets the failure; without this, one that nobody takes would end n8n's process.
		answer.catch(() => undefined);
		return { request, answer, take, abandon: () => (isWanted = false) };
	}

	private async sendNext(text: string, next: NextRequest): Promise<void> {
		const cursor = this.guessesRight ? guessNextCursor(text) : undefined;
		const request = cursor === undefined ? undefined : next(cursor);
		if (request === undefined) return;
		// A second attempt at this page may name another next one.
		this.ahead = this.takeAhead(request) ?? this.begin(request);
		await this.nextTurn();
	}
}

/** How far from the end of a page's text its pagination is looked for, in characters. */
const TAIL = 2_000;

/**
 * The next cursor of a page's text, found without parsing the records: what stands behind the last "pagination".
 * Nothing for a text that will be refused as a page, so that a service which says no is not asked on.
 */
export function guessNextCursor(text: string): string | undefined {
	const tail = text.slice(-TAIL);
	const pagination = tail.lastIndexOf('"pagination"');
	if (pagination < 0 || !text.includes('"items"')) return undefined;
	if (SAYS_NO.test(text.slice(0, TAIL)) || SAYS_NO.test(tail)) return undefined;
	const found = NEXT_CURSOR.exec(tail.slice(pagination))?.[1];
	return found === undefined ? undefined : (parseJson(found) as string | undefined);
}

const SAYS_NO = /"success"\s*:\s*false/;
const NEXT_CURSOR = /"next_cursor"\s*:\s*("(?:[^"\\]|\\.)+")/;

function isSame(one: PageRequest, other: PageRequest): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
