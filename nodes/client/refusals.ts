/** A request that was started: when, as which in order, for what, and how many refusals had counted by then. */
export type Start = { atMs: number; number: number; of: object; refusalsBefore: number };

/** From this refusal of a request on, another asks in its place. */
const TIMES_TO_LEAVE = 3;
/** So many different requests have to be refused in a row before a run ends for those that were not asked. */
const MIN_TO_END = 10;

/**
 * Whom a refusal concerns. It has a cause of its own, unless requests that were started later are refused too: two refusals
 * of different requests with nothing accepted between them mean everybody.
 */
export class Refusals {
	/** The number of the latest start that was accepted: an earlier one that is refused is refused for itself. */
	private acceptedStart = 0;
	/** The latest refusal of each request that was refused since. */
	private readonly inRow = new Map<object, Start>();
	/** How often each request was refused, and which start of it was the last. */
	private readonly before = new WeakMap<
		object,
		{ times: number; number: number; isOdd: boolean }
	>();
	/** Whether one was accepted that seemed to be refused for itself: it was refused for the rate, as the others are. */
	private cameThrough = false;

	/** Whether only few at a time may ask: nothing that was started after a refusal has been accepted. */
	get isOpen(): boolean {
		return this.inRow.size > 0;
	}

	get meansAll(): boolean {
		return this.inRow.size > 1;
	}

	/** Whether enough were refused to say that nobody is accepted. */
	get isSure(): boolean {
		return this.inRow.size >= MIN_TO_END;
	}

	/**
	 * Which of those that wait asks: what was not refused, then what was refused longest ago. So what is refused for itself holds
	 * up the others once, and not again and again.
	 */
	next(waiting: Iterable<object>): object | undefined {
		const refusedAt = (one: object): number => this.inRow.get(one)?.number ?? 0;
		let next: object | undefined;
		for (const one of waiting)
			if (next === undefined || refusedAt(one) < refusedAt(next)) next = one;
		return next;
	}

	accepted({ number, of }: Start): void {
		if (this.before.get(of)?.isOdd) this.cameThrough = true;
		this.acceptedStart = Math.max(this.acceptedStart, number);
		for (const [other, refused] of this.inRow)
			if (refused.number <= number) this.inRow.delete(other);
	}

	/**
	 * Whether a refusal means its own request alone, whether it is that one's first, is evidence of the rate (not where others were
	 * accepted since it was refused before: it is refused for itself), and makes room for another.
	 */
	refused(start: Start) {
		const { number, of } = start;
		const before = this.before.get(of);
		const times = (before?.times ?? 0) + 1;
		const isOdd = before !== undefined && before.number < this.acceptedStart;
		this.before.set(of, { times, number, isOdd });
		const isLatest = number > this.acceptedStart;
		if (isLatest) this.inRow.set(of, start);
		return {
			isAlone: !isLatest || !this.meansAll,
			isFirst: times === 1,
			isEvidence: !isOdd || this.cameThrough,
			leaves: times >= TIMES_TO_LEAVE,
		};
	}
}
