import { messageOf } from '../n8n/errors.mts';
import type { Fault } from '../sandbox/types.mts';
import type { Setup } from './timing.mts';
import { pageSizeOf, n8nNodes, type FaultName, type FaultResult, type Rival } from './types.mts';

const whileListing = { path: '/v2/public/companies', skip: 6, times: 1 };

const faults: Record<FaultName, Fault> = {
	tooManyRequests: { ...whileListing, status: 429, headers: { 'retry-after': '1' } },
	brokenConnection: { ...whileListing, action: 'reset' },
	// Drop the responses to ten requests, so that all attempts that n8n makes for a call (up to three) fail.
	lostAnswers: { path: '/v2/enrich', times: 10, action: 'resetAfterHandling' },
};

const lists = { node: 'items', httpRequest: 'httpItems' } as const;
const calls = { node: 'callNode', httpRequest: 'callHttp' } as const;

/**
 * Measures how the node and HTTP Request cope with failing requests. For a list, counts the records that the workflow
 * returns. For a call, counts how often the service processed the call.
 */
export async function measureFaults(
	{ sandbox, n8n, say }: Setup,
	records: number,
): Promise<FaultResult[]> {
	/** Returns the number of records that a workflow returns, or 0 if the workflow fails and n8n returns no items. */
	const recordsOf = async (name: FaultName, rival: Rival): Promise<number> => {
		try {
			const { json } =
				name === 'lostAnswers'
					? await n8n.run(calls[rival], { domain: 'acme.example' })
					: await n8n.run(lists[rival], {
							records,
							pageSize: pageSizeOf(rival, { pageSize: 'default' }),
						});
			return Number(json.count_id);
		} catch (error) {
			// n8n responds with 500 if the workflow failed.
			if (!messageOf(error).startsWith('n8n answered 500')) throw error;
			return 0;
		}
	};
	const results: FaultResult[] = [];
	for (const name of Object.keys(faults) as FaultName[]) {
		const counts: FaultResult['counts'] = { node: NaN, httpRequest: NaN };
		for (const rival of n8nNodes) {
			await sandbox.takeRequestCount();
			await sandbox.addFault(faults[name]);
			const recordCount = await recordsOf(name, rival);
			const { failed, processed } = await sandbox.countFailures();
			await sandbox.clearFaults();
			if (failed === 0) throw new Error(`${name}: no request of ${rival} failed`);
			counts[rival] = name === 'lostAnswers' ? processed : recordCount;
			say(`${name}: ${rival} ${counts[rival]}`);
		}
		results.push({ name, records, counts });
	}
	return results;
}
