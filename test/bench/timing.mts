import type { BenchN8n } from './bench-n8n.mts';
import { readWithFetch } from './fetch-loop.mts';
import type { SandboxProcess } from './sandbox-process.mts';
import { inTurns } from './turns.mts';
import {
	contenders,
	describePageSize,
	pageSizeOf,
	type Contender,
	type TimingCase,
	type TimingResult,
} from './types.mts';

/** What a measurement needs: the sandbox, n8n, and a function that prints. */
export interface Setup {
	sandbox: SandboxProcess;
	n8n: BenchN8n;
	/** Prints a line about a measurement. */
	say: (line: string) => void;
}

/**
 * Prepares the time measurement of one case. `nextRound` measures the node, HTTP Request and a fetch loop once each,
 * and adds their times to `result`.
 */
export function timeCase(
	{ sandbox, n8n, say }: Setup,
	timingCase: TimingCase,
): { result: TimingResult; nextRound(): Promise<void> } {
	const { records, latencyMs } = timingCase;
	const seconds: Record<Contender, number[]> = { node: [], httpRequest: [], fetchLoop: [] };
	let lastId: unknown;
	const about = `${records} records, page size ${describePageSize(timingCase)}, ${latencyMs} ms:`;
	const measure = async (contender: Contender): Promise<void> => {
		const sizes = { records, pageSize: pageSizeOf(contender, timingCase) };
		await sandbox.takeRequestCount();
		const result =
			contender === 'fetchLoop'
				? await readWithFetch(sandbox.url, sizes)
				: await n8n.run(sizes.pageSize === null ? 'nodeDefault' : contender, sizes);
		const requests = await sandbox.takeRequestCount();
		// A fixed page size determines the number of requests. A different number means that the wrong pages were read.
		if (sizes.pageSize !== null && requests !== Math.ceil(records / sizes.pageSize)) {
			throw new Error(`${about} ${contender} sent ${requests} requests for ${records} records`);
		}
		// The node, HTTP Request and the loop read the same list, so their last records must be equal.
		lastId ??= result.json.id;
		if (result.json.id !== lastId) {
			throw new Error(
				`${about} the last record of ${contender} is ${String(result.json.id)}, not ${String(lastId)}`,
			);
		}
		seconds[contender].push(result.seconds);
		say(`${about} ${contender} ${result.seconds.toFixed(2)} s`);
	};
	const nextTurns = inTurns(contenders, measure);
	const nextRound = async (): Promise<void> => {
		await sandbox.set(latencyMs);
		await nextTurns();
		await sandbox.set(0);
	};
	return { result: { ...timingCase, seconds }, nextRound };
}
