import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../n8n/runtime.mts';
import { startBenchN8n, type BenchN8n, type RunResult } from './bench-n8n.mts';
import type { MemoryCase, MemoryResult } from './types.mts';

/** Matches a record's id at the start of a line of an NDJSON or CSV file. Does not match the header of a CSV file. */
const idAtStart = /^(?:\{"id":")?cmp_(\d+)/;

const settleMs = 5_000;

/** Exported file, as the workflow's last node describes it. */
interface ExportedFile {
	records: number;
	/** Id by which n8n stores the file. */
	id: string;
}

/**
 * Runs a function. Returns its result, n8n's memory before the call, and the peak of n8n's memory during the call, in
 * MB.
 */
export async function runWithPeak<Result>(
	n8n: BenchN8n,
	run: () => Promise<Result>,
): Promise<{ result: Result; baseMb: number; peakMb: number }> {
	// Wait first, because n8n still works for some seconds after it has reported that it is ready.
	await wait(settleMs);
	await n8n.forgetPeak();
	const baseMb = await n8n.peakMb();
	const result = await run();
	return { result, baseMb, peakMb: await n8n.peakMb() };
}

/** Measures the peak of n8n's memory during one export, in a new n8n process. */
export async function measureMemory(
	runtime: Runtime,
	memoryCase: MemoryCase,
): Promise<MemoryResult> {
	const n8n = await startBenchN8n(runtime, memoryCase.heapMb);
	try {
		const run = async () => await n8n.run(memoryCase.output, memoryCase);
		const { result, baseMb, peakMb } = await runWithPeak(n8n, run);
		const files = result.json.files as ExportedFile[] | undefined;
		const distinctIds = files ? await countIds(n8n, files) : undefined;
		if (files) expectAllInFiles(memoryCase, files, distinctIds);
		else expectAllAsItems(memoryCase, result.json);
		return { ...memoryCase, baseMb, peakMb, seconds: result.seconds, distinctIds };
	} finally {
		await n8n.stop();
	}
}

function expectAllInFiles(
	{ records }: MemoryCase,
	files: ExportedFile[],
	distinctIds: number | undefined,
): void {
	const recordCount = files.reduce((sum, file) => sum + file.records, 0);
	if (recordCount === records && distinctIds === records) return;
	throw new Error(`the files say ${recordCount} records and hold ${distinctIds} different ids`);
}

function expectAllAsItems(
	{ output, records, pageSize }: MemoryCase,
	json: RunResult['json'],
): void {
	// The workflow with HTTP Request returns only its last record, so its records cannot be counted here.
	if (output === 'httpRequest' && json.id !== undefined) return;
	const expected = output === 'pages' ? Math.ceil(records / (pageSize ?? 1)) : records;
	const items = json.count_id ?? json.count_success;
	if (items !== expected) throw new Error(`${String(items)} items instead of ${expected}`);
}

/** Reads exported files through n8n and counts the distinct ids in them. Repeated records count once. */
async function countIds(n8n: BenchN8n, files: ExportedFile[]): Promise<number> {
	// Keep the ids as numbers, because ten million strings would need more memory than n8n.
	const seen = new Set<number>();
	for (const { id } of files) {
		const { body } = await n8n.readStoredFile(id);
		const input = Readable.fromWeb(body as ReadableStream);
		for await (const line of createInterface({ input, crlfDelay: Infinity })) {
			const found = idAtStart.exec(line)?.[1];
			if (found !== undefined) seen.add(Number(found));
		}
	}
	return seen.size;
}
