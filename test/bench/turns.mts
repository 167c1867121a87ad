import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../n8n/errors.mts';

/** Measurements of one case, a round at a time. */
export interface Series<Result> {
	/** What has been measured so far. */
	result: Result;
	/** Measures each contender once more. */
	nextRound(): Promise<void>;
}

/**
 * Lets contenders measure one after the other. Every second round has the order of the one before it turned round, and
 * then the order moves on: nobody is always the one who clears away what another left in n8n's memory. A contender that
 * fails is not asked again.
 */
export class Turns<Name extends string> {
	/** Why those that failed did. */
	readonly failures: Partial<Record<Name, string>> = {};
	private readonly names: readonly Name[];
	private readonly measure: (name: Name) => Promise<void>;
	private readonly onFailure: (failure: string) => void;
	private rounds = 0;

	constructor(
		names: readonly Name[],
		measure: (name: Name) => Promise<void>,
		onFailure: (failure: string) => void,
	) {
		this.names = names;
		this.measure = measure;
		this.onFailure = onFailure;
	}

	/** Each contender's next turn. */
	async nextRound(): Promise<void> {
		for (const name of this.nextOrder()) {
			if (this.failures[name] !== undefined) continue;
			try {
				await this.measure(name);
			} catch (error) {
				const failure = messageOf(error);
				this.failures[name] = failure;
				this.onFailure(failure);
				// An n8n that ran out of memory takes a moment to be gone.
				await wait(3_000);
			}
		}
	}

	private nextOrder(): Name[] {
		const round = this.rounds++;
		const first = Math.floor(round / 2) % this.names.length;
		const order = [...this.names.slice(first), ...this.names.slice(0, first)];
		return round % 2 === 0 ? order : order.reverse();
	}
}

/**
 * Measures several cases round by round: a slow minute of the machine hits one round of each then, which medians leave
 * out, and not all rounds of one.
 *
 * @param series the cases, each with the rounds that it wants
 * @param afterRound called when all have had a round
 */
export async function measureInRounds(
	series: ReadonlyArray<{ rounds: number; nextRound(): Promise<void> }>,
	afterRound: () => Promise<void>,
): Promise<void> {
	const most = Math.max(0, ...series.map(({ rounds }) => rounds));
	for (let round = 0; round < most; round++) {
		for (const one of series) {
			if (round < one.rounds) await one.nextRound();
		}
		await afterRound();
	}
}
