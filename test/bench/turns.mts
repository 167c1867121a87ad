import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../n8n/errors.mts';

/**
 * Lets contenders measure one after the other. Every second round has the order of the one before it turned round, and
 * then the order moves on: nobody is always the one who clears away what another left in n8n's memory. A contender that
 * fails is not asked again.
 *
 * @returns why those that failed did, and what gives each contender its next turn
 */
export function inTurns<Name extends string>(
	names: readonly Name[],
	measure: (name: Name) => Promise<void>,
	onFailure: (failure: string) => void,
): { failures: Partial<Record<Name, string>>; nextRound(): Promise<void> } {
	const failures: Partial<Record<Name, string>> = {};
	let rounds = 0;
	const nextOrder = (): Name[] => {
		const round = rounds++;
		const first = Math.floor(round / 2) % names.length;
		const order = [...names.slice(first), ...names.slice(0, first)];
		return round % 2 === 0 ? order : order.reverse();
	};
	const nextRound = async (): Promise<void> => {
		for (const name of nextOrder()) {
			if (failures[name] !== undefined) continue;
			try {
				await measure(name);
			} catch (error) {
				const failure = messageOf(error);
				failures[name] = failure;
				onFailure(failure);
				// An n8n that ran out of memory takes a moment to be gone.
				await wait(3_000);
			}
		}
	};
	return { failures, nextRound };
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
