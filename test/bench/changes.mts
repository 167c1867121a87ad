import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../sandbox/server.mts';
import { createBenchRuntime, startBenchN8n } from './bench-n8n.mts';
import type { ChangesCase, ChangesResult } from './types.mts';
import { LOOKBACK_SECONDS } from './workflows.mts';

/** Pause in ms after which the lookback window has passed. */
const REST_MS = (LOOKBACK_SECONDS + 1.5) * 1_000;

/** Measures how many requests a run of Sync sends if the same records of a long list change again and again. */
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
		// The first run of Sync finds nothing, because Sync starts with the changes made after the first run.
		await run(0);
		for (let round = 0; round < rounds; round++) {
			sandbox.update('company', ids);
			result.requests.push(await run(changing));
			// This run reads the changes within the lookback window once more. The next run finds nothing new.
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
