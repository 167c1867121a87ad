/** A request that was started: when, as which in order, for what, and how many refusals had counted by then. */
export type Start = { atMs: number; number: number; of: object; refusalsBefore: number };

/** A request that is refused more often tells nothing of the others any more; from this time on, another asks in its place. */
const MOST_TELLING = 3;

/**
 * Whom a refusal concerns. It has a cause of its own, unless requests that were started later are refused too: two refusals
 * of different requests with nothing accepted between them mean everybody.
 */
export class Refusals {
	/** The latest start that was accepted, and the latest that was refused with others. */
	private acceptedStart = 0;
	private sharedStart = 0;
	/** A refusal whose cause is not known yet. */
	private doubt?: Start;
	private readonly times = new WeakMap<object, number>();

	/** Whether only few at a time may ask: nothing that was started after a refusal has been accepted. */
	get isOpen(): boolean {
		return this.doubt !== undefined || this.meansAll;
	}

	/** Gives the refusal of the same request before it, where nothing else was asked since: it was the only one. */
	accepted({ number, of }: Start): Start | undefined {
		const { doubt } = this;
		this.acceptedStart = Math.max(this.acceptedStart, number);
		if (doubt === undefined || number < doubt.number) return undefined;
		this.doubt = undefined;
		return doubt.of === of ? doubt : undefined;
	}

	/** Whether a refusal means its own request alone, whether it is that one's first, tells of others, and makes room for them. */
	refused(start: Start) {
		const { number, of } = start;
		const times = (this.times.get(of) ?? 0) + 1;
		this.times.set(of, times);
		return {
			isAlone: number < this.acceptedStart || !this.isShared(start),
			isFirst: times === 1,
			isTelling: times <= MOST_TELLING,
			leaves: times >= MOST_TELLING,
		};
	}

	private get meansAll(): boolean {
		return this.sharedStart > this.acceptedStart;
	}

	private isShared(start: Start): boolean {
		const isFirst = this.doubt === undefined || this.doubt.of === start.of;
		if (!this.meansAll && isFirst) {
			this.doubt = start;
			return false;
		}
		this.doubt = undefined;
		this.sharedStart = Math.max(this.sharedStart, start.number);
		return true;
	}
}
