/**
 * Lets contenders measure one after the other. Every second round reverses the order of the round before, and then the
 * order is rotated. So no contender always has to clear the memory that another contender has left in n8n.
 * @returns function that runs the next round
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
