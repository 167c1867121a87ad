/** Runs Enrich in tests. The node sends the fields of the input items. */
import { useSandbox, type NodeRun, type RunOptions } from '../../harness/support.mts';

export const path = '/v2/enrich';
export const enrich = { resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' };

/**
 * Returns a sandbox, and a function that runs Enrich for these items. `beside` contains parameters other than the
 * options.
 */
export function useEnrich(items: object[]) {
	const bench = useSandbox({ companies: 5, orders: 5, items: 5, deals: 5 });
	const run = async (
		options: Record<string, unknown>,
		more: Partial<RunOptions> = {},
		beside: Record<string, unknown> = {},
	): Promise<NodeRun> => await bench.run({ ...enrich, ...beside, options }, { items, ...more });
	return { bench, run };
}
