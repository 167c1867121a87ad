/**
 * Lets contenders measure one after the other. Every second round has the order of the one before it turned round, and
 * then the order moves on: nobody is always the one who clears away what another left in n8n's memory.
 *
 * @returns what gives each contender its next turn
 */
export function inTurns<Name extends string>(
	names: readonly Name[],
	measure: (name: Name) => Promise<void>,
): () => Promise<void> {
	let rounds = 0;
	return async () => {
		const round = rounds++;
		const first = Math.floor(round / 2) % names.length;
		const order = [...names.slice(first), ...names.slice(0, first)];
		for (const name of round % 2 === 0 ? order : order.reverse()) await measure(name);
	};
}
