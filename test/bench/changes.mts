import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../sandbox/server.mts';
import { createBenchRuntime, startBenchN8n } from './bench-n8n.mts';
import type { ChangesCase, ChangesResult } from './types.mts';
import { LOOKBACK_SECONDS } from './workflows.mts';

/** Pause in ms that is 1.5 s longer than the lookback window. */
const REST_MS = (LOOKBACK_SECONDS + 1.5) * 1_000;

/** Measures the number of requests of a sync that follows a long list in which the same records change repeatedly. */
export async function measureChanges(
	changesCase: ChangesCase,
	say: (line: string) => void,
): Promise<ChangesResult> {
	const { records, pageSize, changing, rounds } = changesCase;
	const sandbox = await startSandbox({ companies: records, orders: 0, items: 0, deals: 0 });
	const ids = [...sandbox.records('company')].slice(0, changing).map(({ id }) => String(id));
	const result: ChangesResult = { ...changesCase, requests: [], quiet: [] };
	const n8n = await startBenchN8n(await createBenchRuntime(sandbox.url, 'bench-changes'));
	const run = async (expected: number): Promise<number> => {
		sandbox.clearRequests();
		const { json } = await n8n.run('changes', { records, pageSize });
		if (json.records !== expected)
			throw new Error(`${String(json.records)} changes came, not ${expected}`);
		say(`changes: ${expected} of ${records} come by ${sandbox.requests.length} requests`);
		return sandbox.requests.length;
	};
	try {
		// The first run sets the start and finds nothing, because the sync returns only changes after its start.
		await run(0);
		for (let round = 0; round < rounds; round++) {
			sandbox.update('company', ids);
			result.requests.push(await run(changing));
			// After the pause, this run reads the changes of the lookback window for the last time. The next run finds
			// nothing.
			await wait(REST_MS);
			await run(0);
			result.quiet.push(await run(0));
		}
		return result;
	} finally {
		await n8n.stop();
		await sandbox.stop();
	}
}
