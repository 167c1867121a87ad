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
	const nextRound = async (): Promise<void> => {
		const round = rounds++;
		const first = Math.floor(round / 2) % names.length;
		const order = [...names.slice(first), ...names.slice(0, first)];
		for (const name of round % 2 === 0 ? order : order.reverse()) {
			if (failures[name] !== undefined) continue;
			try {
				await measure(name);
			} catch (error) {
				onFailure((failures[name] = messageOf(error)));
			}
		}
	};
	return { failures, nextRound };
}
