import { expect } from 'vitest';
import type { FileFacts } from '../../../../nodes/WorkspaceData/export/file-writer.ts';
import { parseRecord } from '../../../sandbox/server.mts';
import type { NodeRun } from '../../harness/support.mts';

/** File that the node returned. `facts` is the `json` of its item. */
export interface ExportedFile {
	facts: FileFacts;
	text: string;
}

/** Reads the files that a run returned, in order. Ignores items without a file, such as errors. */
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

/** Returns the lines of NDJSON files. Each line is the exact text of one record. */
export function linesOf(files: readonly ExportedFile[]): string[] {
	return files.flatMap(({ text, facts }) => {
		expect(text === '' || text.endsWith('\n')).toBe(true);
		const lines = text.split('\n').slice(0, -1);
		expect(lines).toHaveLength(facts.records);
		return lines;
	});
}

/**
 * Returns the text of a record exactly as the sandbox sends it. Writes a bigint as an integer, although n8n defines a
 * `BigInt.prototype.toJSON` that returns a string.
 */
export function exactText(record: unknown): string {
	return JSON.stringify(record, function (this: Record<string, unknown>, key, value: unknown) {
		const original = this[key];
		// Node.js 24 has JSON.rawJSON, but TypeScript's types lack it.
		const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
		return typeof original === 'bigint' ? rawJSON(String(original)) : value;
	});
}

/** Returns the id of a record from its JSON text. */
export function idOf(line: string): string {
	return String(parseRecord(line).id);
}
