import { expect } from 'vitest';
import type { FileFacts } from '../../../../nodes/WorkspaceData/export/file-writer.ts';
import { parseRecord } from '../../../sandbox/server.mts';
import type { NodeRun } from '../../harness/support.mts';

/** A file in the output of the node. */
export interface ExportedFile {
	facts: FileFacts;
	text: string;
}

/** Returns the files of a run in order. Leaves out items without a file, such as errors. */
export async function filesOf(run: NodeRun): Promise<ExportedFile[]> {
	const files: ExportedFile[] = [];
	for (const item of (run.outputs[0] ?? []).filter(({ binary }) => binary !== undefined)) {
		const bytes = await run.binary(item, 'data');
		const facts = item.json as unknown as FileFacts;
		expect(facts.bytes).toBe(bytes.length);
		files.push({ facts, text: bytes.toString('utf8') });
	}
	return files;
}

/** Returns the lines of NDJSON files. Each is the exact text of a record. */
export function linesOf(files: readonly ExportedFile[]): string[] {
	return files.flatMap(({ text, facts }) => {
		expect(text === '' || text.endsWith('\n')).toBe(true);
		const lines = text.split('\n').slice(0, -1);
		expect(lines).toHaveLength(facts.records);
		return lines;
	});
}

/**
 * Returns the text of a record as the sandbox serves it. The sandbox's own function cannot be used in this process: n8n
 * gives bigint a `toJSON` that makes it a string, and only the holder still has the number.
 */
export function exactText(record: unknown): string {
	return JSON.stringify(record, function (this: Record<string, unknown>, key, value: unknown) {
		const original = this[key];
		// Node 24 has this function, but TypeScript's types lack it.
		const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
		return typeof original === 'bigint' ? rawJSON(String(original)) : value;
	});
}

/** Returns the id in the text of a record. */
export function idOf(line: string): string {
	return String(parseRecord(line).id);
}
