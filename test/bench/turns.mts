/**
 * Measures several programs (contenders) in turns, in an order that changes from round to round. Otherwise the same
 * program would always run first after another and clear the memory that it left in n8n.
 * @returns function that measures each program once
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
