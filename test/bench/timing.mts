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

/** Servers and output of a measurement. */
export interface Setup {
	sandbox: SandboxProcess;
	n8n: BenchN8n;
	/** Prints a line for each measurement. */
	say: (line: string) => void;
}

/**
 * Returns the result of one case, and a function that measures every contender in turn and adds the times to the
 * result.
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
		// Check the number of requests, because the page size determines it.
		if (sizes.pageSize !== null && requests !== Math.ceil(records / sizes.pageSize)) {
			throw new Error(`${about} ${contender} sent ${requests} requests for ${records} records`);
		}
		// All contenders read the same list, so a different last record shows that a contender has not read the whole
		// list.
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
