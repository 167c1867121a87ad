import { Refusals, type Start } from './refusals';

/** Requests at once to begin with: what users get who do not choose Parallel Requests. */
const FIRST_WINDOW = 5;
/** By how much each accepted request raises that. TCP's slow start takes 1; all under way at the first refusal are refused. */
const WINDOW_GROWTH = 0.5;
/** What is left of the rate after a refusal. CUBIC has 0.7, for links that many share; a limit is mostly one's own. */
const BETA = 0.9;
/** CUBIC's K, the time until the rate is back where it was refused: long enough for at most one refusal in 50 requests. */
const RECOVERY_MS = 40_000;
const RECOVERY_REQUESTS = 50;
/** A search doubles the rate in this time; later in a run in that of twice as many requests as were accepted before. */
const DOUBLING_MS = 2_000;
const DOUBLING_CYCLES = 2;
/** Fewer accepted requests show no quota, and before the first refusal of a run no rate: others may have used it up. */
const MIN_IN_QUOTA = 20;
/** Fewer accepted requests while a rate is searched for do not end the search. */
const MIN_IN_SEARCH = 5;
/** While the service accepts nothing, one request per second asks whether it does again. */
const PROBE_RATE = 1 / 1_000;
/** Longest time between two such requests, in ms; Retry For may end soon after. */
const MAX_SILENCE_MS = 30_000;
/** After this, in ms, a request in the queue asks again how long it has to wait: the rate may have risen. */
const MAX_QUEUE_WAIT_MS = 100;
/** After this, in ms, a request that waits for a place, or for what becomes of another one, looks again. */
const PLACE_WAIT_MS = 20;
/** While no limit is known, so large a part of the requests may be refused. */
const FIRST_TOLERATED_PART = 0.1;
/** Each time that a slower pace did not help, twice that part, up to this, and a few more. */
const MAX_TOLERATED_PART = 0.5;
const EXTRA_TOLERATED = 8;
/** A cycle is short that ends before the rate had half of the time to be back where it was refused. */
const SHORT_CYCLE_MS = RECOVERY_MS / 2;
/** So many short cycles, at less than this part of the rate that was refused before them, are no limit's. */
const SLOWER = 0.8;
const MAX_IN_VAIN = 8;
/** In a longer pause one request at a time asks after so many ms, then after twice as many, and so on. */
const FIRST_ASKING_MS = 10_000;
/** Where others were accepted, nobody waits for a known limit for longer than this, in ms. */
const MAX_SHORT_WAIT_MS = 1_000;
/** At least one request per minute, also where a run did something else for hours between two that were accepted. */
const MIN_RATE = 1 / 60_000;

/**
 * How fast the requests of one run may go, learned from what the service accepts and refuses: with a cubic rate, after
 * TCP CUBIC (RFC 9438, docs/maintainers/rate-limiter.md).
 * Requests queue by position, in the order of their coming: what was refused and comes back has its place before all that
 * come later, or those would take what the service accepts, and it would be refused until Retry For is over.
 * `join`, wait while `waitMs` says so, `start`, `unqueue`, then report `accepted` or `refused`.
 * Knows no clock: times come from outside, in ms of any clock that is never set (elapsed time, not the time of day).
 */
export class RateLimiter {
	private maxConcurrent = 1;
	private window = 1;
	/** Requests per ms; infinite while nothing was refused. */
	private rate = Infinity;
	/** The rate that was refused; infinite while it is searched for. */
	private max = Infinity;
	private doublingRequests = 0;
	/** For how long the rate has grown since the cycle began. */
	private grownMs = 0;
	private isFirstCycle = true;
	/** A cycle begins with an accepted request, is refused, and ends with the next one that is accepted. */
	private cycleBeganMs = Infinity;
	private acceptedInCycle = 0;
	private isRefused = false;
	private firstRefusedMs = 0;
	private lastRefusedMs = 0;
	private refusals = 0;
	/** What waits for its turn. */
	private readonly queue = new Set<object>();
	/** Positions given out, how many of them have started, and how many the rate has let pass. */
	private joined = 0;
	private started = 0;
	private passed = 0;
	/** Until when the queue has moved on; in a pause, when that ends. */
	private advancedMs = 0;
	/** When the next one may ask in a pause, and after how many ms another if that is refused. */
	private askAtMs = Infinity;
	private askingMs = FIRST_ASKING_MS;
	/** Requests under way, and those that wait alone, whose places are free. */
	private underWay = 0;
	private away = 0;
	/** Called when one more request may be under way, since another waits alone. */
	onRoom = (): void => {};
	private readonly causes = new Refusals();
	private refusedInCycle = 0;
	private toleratedPart = FIRST_TOLERATED_PART;
	/** The fastest rate that was refused since a cycle was long, and how many short ones at slower rates have followed. */
	private fastest = 0;
	private inVain = 0;

	constructor(maxConcurrent = 1) {
		this.allow(maxConcurrent);
	}

	/** How many requests may be under way at once. What a try before has learned of the same number stays. */
	allow(maxConcurrent: number): void {
		if (maxConcurrent === this.maxConcurrent) return;
		this.maxConcurrent = maxConcurrent;
		this.window = Math.min(FIRST_WINDOW, maxConcurrent);
	}

	/** How many requests may be under way now, between 1 and the maximum, besides those that wait alone. */
	get concurrency(): number {
		return Math.floor(this.window) + this.away;
	}

	join(of: object): number {
		this.queue.add(of);
		return ++this.joined;
	}

	/** It has started, or is not wanted any more. */
	unqueue(of: object): void {
		this.queue.delete(of);
	}

	/** Another try: what waited before is not sent any more, and how long the service may refuse is counted anew. */
	beginTry(nowMs: number): void {
		this.queue.clear();
		this.joined = this.passed = this.started;
		this.advancedMs = this.firstRefusedMs = nowMs;
	}

	/** After how many ms a request at this position asks again; 0 when the service lets it start. */
	waitMs(position: number, nowMs: number, of: object): number {
		this.advance(nowMs);
		const pauseMs = Math.ceil(this.pauseMs(nowMs));
		if (this.underWay >= Math.floor(this.window)) return Math.max(PLACE_WAIT_MS, pauseMs);
		if (this.causes.isOpen) return this.askInMs(nowMs, of);
		const queueMs = Math.max(0, position - 1 - this.passed) / this.rate;
		return Math.ceil(this.pauseMs(nowMs) + Math.min(queueMs, MAX_QUEUE_WAIT_MS));
	}

	/** As long as nobody knows whether anything is accepted, few ask, in order where it is one, also in a long pause. */
	private askInMs(nowMs: number, of: object): number {
		const askMs = Math.max(0, Math.min(this.advancedMs, this.askAtMs) - nowMs);
		const asks = this.underWay === 0 && this.causes.next(this.queue) === of;
		return Math.ceil(asks ? askMs : Math.max(PLACE_WAIT_MS, askMs));
	}

	/** For how long no request may start. */
	pauseMs(nowMs: number): number {
		return Math.max(0, this.advancedMs - nowMs);
	}

	start(nowMs: number, of: object): Start {
		this.started += 1;
		this.underWay += 1;
		if (nowMs >= this.askAtMs) this.askAtMs = nowMs + (this.askingMs *= 2);
		this.cycleBeganMs = Math.min(this.cycleBeganMs, nowMs);
		return { atMs: nowMs, number: this.started, of, refusalsBefore: this.refusals };
	}

	/** Whether enough requests were refused, with nothing accepted between them, to end a run. */
	get isSure(): boolean {
		return this.causes.isSure;
	}

	/** Nothing is under way: then the wait of one request is one of the whole run. */
	get isIdle(): boolean {
		return this.underWay === 0;
	}

	/** Frees the place of a request only: what its answer means is reported by `accepted` or `refused`. */
	ended(): void {
		this.underWay -= 1;
	}

	/** A request waits alone: its place is free until it is back. */
	leave(): void {
		this.away += 1;
		this.onRoom();
	}

	comeBack(): void {
		this.away -= 1;
	}

	/** No request starts before `untilMs`, and the queue does not move on until then. A longer pause stays. */
	pauseUntil(untilMs: number): void {
		this.advancedMs = Math.max(this.advancedMs, untilMs);
	}

	accepted(start: Start): void {
		const { meansAll } = this.causes;
		this.causes.accepted(start);
		if (meansAll && !this.causes.meansAll) this.endPause(start.atMs);
		this.window = Math.min(this.maxConcurrent, this.window + WINDOW_GROWTH);
		// A request that started before the last refusal says nothing of whether it is over.
		if (this.isRefused && start.refusalsBefore === this.refusals) this.beginCycle(start.atMs);
		this.acceptedInCycle += 1;
	}

	/**
	 * The service refused a request, which then waits for a time of its own. Of that, everybody waits for at most `maxMs`
	 * (0 where it concerns that request alone, `Infinity` where it means everybody), and at least `leastMs`. Where it `leaves`,
	 * its place goes to another meanwhile.
	 * @param isOfRate false where the service is down, which says nothing of how fast requests may come
	 */
	refused(start: Start, nowMs: number, retryAfterMs = 0, isOfRate = true) {
		const { isAlone, isFirst, isEvidence, ...more } = this.causes.refused(start);
		const leaves = more.leaves || retryAfterMs > FIRST_ASKING_MS;
		if (!isAlone && this.askAtMs === Infinity) this.askAtMs = nowMs + FIRST_ASKING_MS;
		if (isEvidence && isOfRate) this.refusedInCycle += 1;
		const isTolerated = !isEvidence || this.refusedInCycle <= this.maxTolerated();
		const isUnlimited = this.rate === Infinity;
		if (isAlone) {
			const counts = isOfRate && (!isTolerated || (isFirst && !isUnlimited));
			if (!counts) return { leastMs: 0, maxMs: 0, leaves: true };
			return { leastMs: this.count(start, nowMs, retryAfterMs), maxMs: MAX_SHORT_WAIT_MS, leaves };
		}
		const isChance = isTolerated && isUnlimited && this.toleratedPart > FIRST_TOLERATED_PART;
		const counts = isOfRate && !isChance && (isEvidence || this.isRefused);
		return {
			leastMs: counts ? this.count(start, nowMs, retryAfterMs) : 0,
			maxMs: Infinity,
			leaves,
		};
	}

	/** A pause of everybody is over once a request that was started later is accepted. */
	private endPause(atMs: number): void {
		this.advancedMs = Math.min(this.advancedMs, atMs);
		this.askAtMs = Infinity;
		this.askingMs = FIRST_ASKING_MS;
	}

	/** How many refusals of a cycle are tolerated. */
	private maxTolerated(): number {
		const extra = this.toleratedPart > FIRST_TOLERATED_PART ? EXTRA_TOLERATED : 0;
		return extra + this.toleratedPart * (this.acceptedInCycle + this.refusedInCycle);
	}

	/** A refusal counts for the rate. Gives how long everybody is silent at least, in ms. */
	private count({ atMs, refusalsBefore }: Start, nowMs: number, retryAfterMs: number): number {
		// Requests that were under way together are refused together: only the first of them says something new.
		if (refusalsBefore !== this.refusals) return 0;
		this.refusals += 1;
		this.lastRefusedMs = atMs;
		if (!this.isRefused) this.endGrowth(atMs);
		// Still nothing is accepted: asks again when the service says so, otherwise after twice the time.
		const silentMs = Math.min(atMs - this.firstRefusedMs, MAX_SILENCE_MS);
		return retryAfterMs > 0 ? 0 : Math.max(0, atMs + silentMs - nowMs);
	}

	private endGrowth(atMs: number): void {
		this.isRefused = true;
		this.firstRefusedMs = atMs;
		if (this.showsNoRate()) return;
		if (this.rate === Infinity) {
			this.rate = PROBE_RATE;
			return;
		}
		if (this.isInVain()) return this.takeBack();
		// A search overshoots before the refusal arrives.
		const isSearching = this.max === Infinity;
		const refused = isSearching ? this.rate * BETA : this.rate;
		if (!isSearching || this.acceptedInCycle >= MIN_IN_SEARCH) this.max = refused;
		this.rate = refused * BETA;
	}

	/** Whether a slower pace has lessened nothing. */
	private isInVain(): boolean {
		const isShort = this.grownMs < SHORT_CYCLE_MS;
		this.fastest = isShort ? Math.max(this.fastest, this.rate) : this.rate;
		if (!isShort) this.inVain = Math.max(0, this.inVain - 1);
		else if (this.rate < SLOWER * this.fastest) this.inVain += 1;
		return this.inVain >= MAX_IN_VAIN;
	}

	/** Refusals that do not depend on the pace are not answered by a slower one: begins anew, and tolerates more of them. */
	private takeBack(): void {
		this.rate = this.max = Infinity;
		this.toleratedPart = Math.min(MAX_TOLERATED_PART, 2 * this.toleratedPart);
		this.inVain = this.fastest = this.acceptedInCycle = this.refusedInCycle = 0;
		this.isRefused = false;
		this.isFirstCycle = true;
		this.cycleBeganMs = Infinity;
	}

	/** Whether the run only waits and begins anew. */
	private showsNoRate(): boolean {
		return this.isFirstCycle && this.acceptedInCycle < MIN_IN_QUOTA;
	}

	/** Requests are accepted again: sets the rate by the cycle that has ended. */
	private beginCycle(atMs: number): void {
		this.passed = Math.min(this.passed, this.started);
		const accepted = Math.max(1, this.acceptedInCycle);
		const proven = Math.max(MIN_RATE, accepted / Math.max(1, atMs - this.cycleBeganMs));
		// A service that stays shut after a quota counts in long windows: its rate is the mean over both times.
		const staysShut = this.lastRefusedMs > this.firstRefusedMs;
		const isQuota = staysShut && accepted >= MIN_IN_QUOTA && !this.isFirstCycle;
		const maxRate = isQuota ? accepted / (this.lastRefusedMs - this.cycleBeganMs) : this.max;
		if (this.showsNoRate()) {
			this.rate = Infinity;
			this.window = Math.min(FIRST_WINDOW, this.maxConcurrent);
		} else {
			this.max = Math.max(proven, maxRate);
			this.rate = this.max === Infinity ? proven : Math.max(proven, this.max * BETA);
		}
		this.doublingRequests = this.isFirstCycle ? 0 : DOUBLING_CYCLES * this.acceptedInCycle;
		this.isFirstCycle = false;
		this.grownMs = 0;
		this.cycleBeganMs = atMs;
		this.acceptedInCycle = this.refusedInCycle = 0;
		this.isRefused = false;
	}

	/** Lets the queue move on by the rate, and the rate grow while someone waits for it. */
	private advance(nowMs: number): void {
		const elapsedMs = nowMs - this.advancedMs;
		if (this.rate === Infinity) this.passed = this.joined;
		if (this.rate === Infinity || elapsedMs <= 0) return;
		this.advancedMs = nowMs;
		// Time in which nobody waited is no credit for a burst later, and proves no rate.
		this.passed = Math.min(this.joined, this.passed + elapsedMs * this.rate);
		if (this.passed === this.joined || this.isRefused) return;
		this.grownMs += elapsedMs;
		const doublingMs = Math.max(DOUBLING_MS, this.doublingRequests / this.rate);
		const searched = this.rate * 2 ** (elapsedMs / doublingMs);
		const recoveryMs = Math.max(RECOVERY_MS, RECOVERY_REQUESTS / this.max);
		const cubic = this.max + this.max * (1 - BETA) * (this.grownMs / recoveryMs - 1) ** 3;
		this.rate = this.max === Infinity ? searched : cubic;
	}
}
