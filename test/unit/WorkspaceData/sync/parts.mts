import type { INodeExecutionData } from 'n8n-workflow';
import type { FakeExecution } from './n8n.mts';
import type { History } from './steps.mts';

/** What an item that came out holds. */
export interface Part {
	versions: string[];
	checkpoint?: string | undefined;
}

/** What each item that came out holds. */
export function partsOf(
	outputAs: History['outputAs'],
	output: readonly INodeExecutionData[],
	{ files }: FakeExecution,
): Part[] {
	return output.map(({ json }, place) => {
		const records =
			outputAs === 'items'
				? [json]
				: outputAs === 'batch'
					? (json.records as Array<Record<string, unknown>>)
					: linesOf(files[place]);
		const versions = records.map(({ version }) => String(version));
		return { versions, checkpoint: json.checkpoint as string | undefined };
	});
}

function linesOf(file: Buffer): Array<Record<string, unknown>> {
	const lines = file.toString().split('\n').filter(Boolean);
	return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
