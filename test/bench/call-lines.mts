/** Runs of workflows that send calls, and the lines that are printed of them. */
import { sandboxCredentials } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { sandboxCredentialFile } from '../n8n/imports.mts';
import { startN8nUnderTest } from '../n8n/n8n-under-test.mts';
import type { N8nUnderTest } from '../n8n/n8n-under-test.mts';
import { itemsOf } from '../n8n/rest.mts';
import { startName } from '../n8n/workflows.mts';
import { callWorkflow, NODE } from './call-workflows.mts';
import type { CallWorkflow, CallWorkflowOptions } from './call-workflows.mts';

/** One line of the table. */
interface Line {
	case: string;
	node: string;
	seconds: number;
	requests: number;
	refused: string;
	'calls/s': string;
	'most at once': number;
	succeeded: number;
	promise: string;
}

/** What is measured of it. */
export type MeasuredLine = Omit<Line, 'promise' | 'case'>;

const lines: Line[] = [];
let broken = 0;

/** How many promises were broken so far. */
export const brokenPromises = (): number => broken;

/** Notes a measured run; `kept` says whether the promise held, undefined where none was made. */
export function note(line: Omit<Line, 'promise'>, promise?: string, kept?: boolean): void {
	if (kept === false) broken += 1;
	const verdict = kept === undefined ? '' : `${promise}: ${kept ? 'kept' : 'BROKEN'}`;
	lines.push({ ...line, promise: verdict });
	console.log(JSON.stringify({ ...line, promise: verdict }));
}

/** What the sandbox and n8n saw of a workflow. */
export interface Measured {
	line: MeasuredLine;
	inOrder: boolean;
	refusedShare: number;
}

/** Runs workflows in an n8n of their own, and prints all lines so far when they have ended. */
export async function inN8n(
	name: string,
	sandbox: Sandbox,
	workflows: CallWorkflow[],
	work: (run: (workflow: CallWorkflow) => Promise<Measured>) => Promise<void>,
): Promise<void> {
	const credentials = [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)];
	const n8n = await startN8nUnderTest({ name, credentials, workflows });
	try {
		await work((workflow) => measure(n8n, sandbox, workflow));
	} finally {
		await n8n.stop();
	}
	console.table(lines);
}

async function measure(
	n8n: N8nUnderTest,
	sandbox: Sandbox,
	workflow: CallWorkflow,
): Promise<Measured> {
	sandbox.clearRequests();
	const execution = await n8n.client.runWorkflow(workflow.id, startName, 600_000);
	const runs = execution.runs[NODE] ?? [];
	const items = execution.status === 'success' ? itemsOf(execution, NODE) : [];
	const seconds = runs.reduce((sum, run) => sum + run.executionTime, 0) / 1_000;
	const requests = sandbox.requests.length;
	const refused = sandbox.requests.filter(({ status }) => status === 429).length;
	const failed = items.filter(({ json }) => 'error' in json).length;
	const numbers = items.map(({ json }) => Number(String(json.domain).replace(/\D/g, '')));
	const inOrder = numbers.every(
		(number, index) => index === 0 || number >= (numbers[index - 1] ?? 0),
	);
	const refusedShare = refused / Math.max(1, requests);
	const line = {
		node: workflow.node,
		seconds,
		requests,
		refused: `${refused} (${(100 * refusedShare).toFixed(1)}%)`,
		'calls/s': ((items.length - failed) / seconds).toFixed(1),
		'most at once': sandbox.requests.reduce((most, { inFlight }) => Math.max(most, inFlight), 0),
		succeeded: items.length - failed,
	};
	return { line, inOrder, refusedShare };
}

/** The same workflow for both nodes, that are compared. */
export const bothNodes = (
	name: string,
	url: string,
	options: CallWorkflowOptions,
): CallWorkflow[] =>
	(['workspaceData', 'httpRequest'] as const).map((node) =>
		callWorkflow(`${name} ${node}`, node, url, options),
	);

/** The run whose time is the median. */
export function medianLine<T extends { seconds: number }>(taken: readonly T[]): T {
	const line = taken.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(taken.length / 2)];
	if (line === undefined) throw new Error('nothing was measured');
	return line;
}
