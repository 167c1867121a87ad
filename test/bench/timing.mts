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

/** What is measured with. */
export interface Stand {
	sandbox: SandboxProcess;
	n8n: BenchN8n;
	/** Told of each measurement. */
	say: (line: string) => void;
}

/** Times every contender on one case, in turns, once more with each `nextRound`. */
export function timeCase(
	{ sandbox, n8n, say }: Stand,
	wanted: TimingCase,
): { result: TimingResult; nextRound(): Promise<void> } {
	const { records, latencyMs } = wanted;
	const seconds: Record<Contender, number[]> = { node: [], httpRequest: [], fetchLoop: [] };
	let lastId: unknown;
	const about = `${records} records, page size ${describePageSize(wanted)}, ${latencyMs} ms:`;
	const measure = async (contender: Contender): Promise<void> => {
		const sizes = { records, pageSize: pageSizeOf(contender, wanted) };
		await sandbox.takeRequestCount();
		const answer =
			contender === 'fetchLoop'
				? await readWithFetch(sandbox.url, sizes)
				: await n8n.run(sizes.pageSize === null ? 'nodeDefault' : contender, sizes);
		const requests = await sandbox.takeRequestCount();
		// Where the page size is known, so is the number of requests.
		if (sizes.pageSize !== null && requests !== Math.ceil(records / sizes.pageSize)) {
			throw new Error(`${about} ${contender} sent ${requests} requests for ${records} records`);
		}
		// All read the same list, so whoever ends with another record has not read all of it.
		lastId ??= answer.json.id;
		if (answer.json.id !== lastId) {
			throw new Error(
				`${about} the last record of ${contender} is ${String(answer.json.id)}, not ${String(lastId)}`,
			);
		}
		seconds[contender].push(answer.seconds);
		say(`${about} ${contender} ${answer.seconds.toFixed(2)} s`);
	};
	const nextTurns = inTurns(contenders, measure);
	const nextRound = async (): Promise<void> => {
		await sandbox.set(latencyMs);
		await nextTurns();
		await sandbox.set(0);
	};
	return { result: { ...wanted, seconds }, nextRound };
}
