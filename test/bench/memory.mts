import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../n8n/runtime.mts';
import { startBenchN8n, type BenchN8n, type RunAnswer } from './bench-n8n.mts';
import type { MemoryCase, MemoryResult } from './types.mts';

/** The id of a record at the start of a line, in NDJSON as in CSV; the header of a CSV file has none. */
const idAtStart = /^(?:\{"id":")?cmp_(\d+)/;

const settleMs = 5_000;

/** A file as its workflow answers it. */
interface ExportedFile {
	records: number;
	/** n8n's id of the stored file. */
	id: string;
}

/** Runs something in n8n, and tells the memory that it had before, and the most that it had meanwhile, in MB. */
export async function runWithPeak<Result>(
	n8n: BenchN8n,
	run: () => Promise<Result>,
): Promise<{ result: Result; baseMb: number; peakMb: number }> {
	// n8n goes on working for some seconds after it has begun to answer.
	await wait(settleMs);
	await n8n.forgetPeak();
	const baseMb = await n8n.peakMb();
	const result = await run();
	return { result, baseMb, peakMb: await n8n.peakMb() };
}

/** Runs one case in a new n8n process and tells the most memory that this process had meanwhile. */
export async function measureMemory(runtime: Runtime, wanted: MemoryCase): Promise<MemoryResult> {
	const n8n = await startBenchN8n(runtime, wanted.heapMb);
	try {
		const run = async () => await n8n.run(wanted.output, wanted);
		const { result: answer, baseMb, peakMb } = await runWithPeak(n8n, run);
		const files = answer.json.files as ExportedFile[] | undefined;
		const distinctIds = files ? await countIds(n8n, files) : undefined;
		if (files) expectAllInFiles(wanted, files, distinctIds);
		else expectAllAsItems(wanted, answer.json);
		return { ...wanted, baseMb, peakMb, seconds: answer.seconds, distinctIds };
	} finally {
		await n8n.stop();
	}
}

function expectAllInFiles(
	{ records }: MemoryCase,
	files: ExportedFile[],
	distinctIds: number | undefined,
): void {
	const told = files.reduce((sum, file) => sum + file.records, 0);
	if (told === records && distinctIds === records) return;
	throw new Error(`the files say ${told} records and hold ${distinctIds} different ids`);
}

function expectAllAsItems(
	{ output, records, pageSize }: MemoryCase,
	json: RunAnswer['json'],
): void {
	// HTTP Request is told how many pages to read, and only its last record is answered.
	if (output === 'httpRequest' && json.id !== undefined) return;
	const expected = output === 'pages' ? Math.ceil(records / (pageSize ?? 1)) : records;
	const items = json.count_id ?? json.count_success;
	if (items !== expected) throw new Error(`${String(items)} items instead of ${expected}`);
}

/** Reads the files through n8n and counts the different ids. A record that comes twice makes it fewer than the lines. */
async function countIds(n8n: BenchN8n, files: ExportedFile[]): Promise<number> {
	// By number: a set of ten million texts would take more memory than n8n does.
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
