import { messageOf } from '../n8n/errors.mts';
import type { Fault } from '../sandbox/types.mts';
import type { BenchN8n } from './bench-n8n.mts';
import type { TimingStand } from './timing.mts';
import { pageSizeOf, rivals, type FaultName, type FaultResult, type Rival } from './types.mts';

/** A list of so many records is read while something fails once. */
export const recordsWithFault = 10_000;

/** What n8n answers where the workflow has ended with an error. */
const endedWithError = /^n8n answered 500/;

const whileListing = { path: '/v2/public/companies', skip: 6, times: 1 };

const faults: Record<FaultName, Fault> = {
	tooManyRequests: { ...whileListing, status: 429, headers: { 'retry-after': '1' } },
	brokenConnection: { ...whileListing, action: 'reset' },
	// More often than n8n tries.
	lostAnswers: { path: '/v2/enrich', times: 10, action: 'resetAfterHandling' },
};

const workflows = {
	list: { node: 'items', httpRequest: 'httpItems' },
	call: { node: 'callNode', httpRequest: 'callHttp' },
} as const;

/** Counts what comes out, or what is billed, where something fails: with the node, and with HTTP Request. */
export async function measureFaults({ sandbox, n8n, say }: TimingStand): Promise<FaultResult[]> {
	const results: FaultResult[] = [];
	for (const name of Object.keys(faults) as FaultName[]) {
		const counts: FaultResult['counts'] = { node: NaN, httpRequest: NaN };
		for (const rival of rivals) {
			await sandbox.takeRequestCount();
			await sandbox.addFault(faults[name]);
			const records = await recordsOf(await n8n(), name, rival, say);
			const { failed, processed } = await sandbox.countFailures();
			await sandbox.clearFaults();
			if (failed === 0) throw new Error(`${name}: no request of ${rival} failed`);
			counts[rival] = name === 'lostAnswers' ? processed : records;
			say(`${name}: ${rival} ${counts[rival]}`);
		}
		results.push({ name, counts });
	}
	return results;
}

/** How many items come out; none where the workflow ends with an error, since n8n keeps nothing then. */
async function recordsOf(
	n8n: BenchN8n,
	name: FaultName,
	rival: Rival,
	say: TimingStand['say'],
): Promise<number> {
	try {
		const { json } =
			name === 'lostAnswers'
				? await n8n.run(workflows.call[rival], { domain: 'acme.example' })
				: await n8n.run(workflows.list[rival], {
						records: recordsWithFault,
						pageSize: pageSizeOf(rival, 'default'),
					});
		return Number(json.count_id);
	} catch (error) {
		if (!endedWithError.test(messageOf(error))) throw error;
		say(`${name}: ${rival} ended with an error`);
		return 0;
	}
}
