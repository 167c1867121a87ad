/**
 * Returns a function that measures each of several programs once, in an order that changes from call to call. In a
 * fixed order, a program would always have to clear the memory that the same predecessor left in n8n.
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
