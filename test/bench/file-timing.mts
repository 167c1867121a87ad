import { checkRequests, type TimingStand } from './timing.mts';
import { Turns, type Series } from './turns.mts';
import { rivals, pageSizeOf, type FileCase, type FileTiming, type Rival } from './types.mts';
import type { BenchName } from './workflows.mts';

/** The workflow of each contender. Convert to File makes no NDJSON, so a user takes JSON. */
const workflows = {
	ndjson: { node: 'writeNdjson', httpRequest: 'httpJson' },
	csv: { node: 'writeCsv', httpRequest: 'httpCsv' },
} as const satisfies Record<FileCase['output'], Record<string, BenchName>>;

/** No record of the sandbox is shorter. */
const fewestBytesPerRecord = 100;

/** A file as its workflow answers it. */
interface WrittenFile {
	/** The records in it; null where the node does not say. */
	records: number | null;
	bytes: number;
}

/** Times both ways of writing a list to files, in turns and without latency. */
export function timeFiles(
	{ sandbox, n8n, say }: TimingStand,
	wanted: FileCase,
): Series<FileTiming> {
	const { output, records } = wanted;
	const seconds: FileTiming['seconds'] = { node: [], httpRequest: [] };
	const measure = async (rival: Rival): Promise<void> => {
		const sizes = { records, pageSize: pageSizeOf(rival, 'default') };
		await sandbox.takeRequestCount();
		const answer = await (await n8n()).run(workflows[output][rival], sizes);
		await checkRequests(sandbox, sizes);
		checkFiles(answer.json.files as WrittenFile[], records);
		seconds[rival].push(answer.seconds);
		say(`${records} records as ${output}: ${rival} ${answer.seconds.toFixed(2)} s`);
	};
	const turns = new Turns(rivals, measure, (failure) => say(`a file was not written: ${failure}`));
	return {
		result: { ...wanted, seconds, failures: turns.failures },
		nextRound: () => turns.nextRound(),
	};
}

function checkFiles(files: WrittenFile[], records: number): void {
	const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
	const told = files.reduce((sum, file) => sum + (file.records ?? records), 0);
	if (told !== records || bytes < fewestBytesPerRecord * records) {
		throw new Error(`its files hold ${told} records in ${bytes} bytes`);
	}
}
