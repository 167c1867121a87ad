/**
 * Thousands of calls in a real n8n: how fast, how bounded, how polite, and in how much memory (`npm run bench:calls`).
 * The node stands beside n8n's HTTP Request node on the same service, in the same n8n, one after the other. Exits 1
 * when a promise is broken. The speed of thousands of short calls is that of medians, taken in turns with HTTP Request in
 * batches and with a bare loop of as many at once.
 *
 *   npm run bench:calls -- [--only calls|speed|reuse|memory] [--rates 5,20,50]
 */
import { parseArgs } from 'node:util';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { sandboxCredentialFile } from '../n8n/imports.mts';
import { startN8nUnderTest } from '../n8n/n8n-under-test.mts';
import type { N8nUnderTest } from '../n8n/n8n-under-test.mts';
import { itemsOf } from '../n8n/rest.mts';
import { timeCallLoop } from './call-loop.mts';
import { benchCallMemory } from './call-memory.mts';
import { callWorkflow, NODE, START, type CallWorkflow } from './call-workflows.mts';

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

/** Each is taken so often, in turns. */
const speedRounds = 3;
const speedCalls = 5_000;
const speedAtOnce = 20;
/** Latencies in ms, with the most that the node may take: of what HTTP Request takes, and of the bare loop. */
const speeds = [{ latencyMs: 20, ofHttpRequest: 0.4, ofLoop: 1.3 }, { latencyMs: 50 }];

/** So long the calls to a service with a limit would take at its rate. */
const limitedSeconds = 120;

const lines: Line[] = [];
let broken = 0;

/** Notes a measured run; `kept` says whether the promise held, undefined where none was made. */
function note(line: Omit<Line, 'promise'>, promise?: string, kept?: boolean): void {
	if (kept === false) broken += 1;
	const verdict = kept === undefined ? '' : `${promise}: ${kept ? 'kept' : 'BROKEN'}`;
	lines.push({ ...line, promise: verdict });
	console.log(JSON.stringify({ ...line, promise: verdict }));
}

/** Runs one workflow and says what the sandbox and n8n saw of it. */
async function measure(
	n8n: N8nUnderTest,
	sandbox: Sandbox,
	workflow: CallWorkflow,
): Promise<{ line: Omit<Line, 'promise' | 'case'>; inOrder: boolean; refusedShare: number }> {
	sandbox.clearRequests();
	const execution = await n8n.client.runWorkflow(workflow.id, START, 600_000);
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

/** Calls against a service that is slow, that limits the rate, and with many that are alike. */
async function benchCalls(sandbox: Sandbox, rates: readonly number[]): Promise<void> {
	const latency = ['workspaceData', 'httpRequest'].map((node) =>
		callWorkflow(`latency-${node}`, node, sandbox.url, { items: 1_000, maxConcurrent: 20 }),
	);
	const limited = rates.map((rate) => {
		// Learning counts, so a run is as long as docs/maintainers/pace.md judges it by.
		const items = rate * limitedSeconds;
		const workflows = ['workspaceData', 'httpRequest'].map((node) =>
			callWorkflow(`limited-${rate}-${node}`, node, sandbox.url, { items, maxConcurrent: 20 }),
		);
		return { rate, items, workflows };
	});
	const warmUp = ['workspaceData', 'httpRequest'].map((node) =>
		callWorkflow(`warm-up-${node}`, node, sandbox.url, { items: 300, maxConcurrent: 20 }),
	);
	const identical = callWorkflow('identical', 'workspaceData', sandbox.url, {
		items: 10_000,
		distinct: 500,
		maxConcurrent: 20,
		sendIdenticalOnce: true,
	});
	const n8n = await startN8nUnderTest({
		name: 'bench-calls',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [...warmUp, ...latency, ...limited.flatMap(({ workflows }) => workflows), identical],
	});

	try {
		// Once without counting, so that nobody pays for the start of n8n and the compilers' warming up.
		for (const workflow of warmUp) await measure(n8n, sandbox, workflow);
		sandbox.setLatency(100);
		for (const workflow of latency) {
			const { line, inOrder } = await measure(n8n, sandbox, workflow);
			const ours = workflow.node === 'workspaceData';
			const kept =
				line.seconds <= 6.25 && line['most at once'] <= 20 && inOrder && line.succeeded === 1_000;
			note(
				{ case: '1,000 calls, 100 ms latency, 20 at once', ...line },
				'at most 1.25 × 5 s, 20 at once, in order',
				ours ? kept : undefined,
			);
		}
		sandbox.setLatency(0);
		for (const { rate, items, workflows } of limited) {
			for (const workflow of workflows) {
				sandbox.setRateLimit(rate);
				const { line, refusedShare } = await measure(n8n, sandbox, workflow);
				sandbox.setRateLimit(undefined);
				const ours = workflow.node === 'workspaceData';
				const reached = line.succeeded / line.seconds / rate;
				note(
					{
						case: `${items.toLocaleString('en-US')} calls, the service takes ${rate}/s (${(100 * reached).toFixed(0)}% reached)`,
						...line,
					},
					'all succeed, ≤ 5% refused, ≥ 85% of the rate',
					ours ? line.succeeded === items && refusedShare <= 0.05 && reached >= 0.85 : undefined,
				);
			}
		}
		const { line } = await measure(n8n, sandbox, identical);
		note(
			{ case: '10,000 items, 500 distinct bodies, sent once each', ...line },
			'500 requests, 10,000 results',
			line.requests === 500 && line.succeeded === 10_000,
		);
	} finally {
		await n8n.stop();
	}
	console.table(lines);
}

/** Thousands of calls that are answered soon, in turns with whatever else sends so many at once. */
async function benchSpeed(sandbox: Sandbox): Promise<void> {
	const settings = { items: speedCalls, maxConcurrent: speedAtOnce, batchSize: speedAtOnce };
	const [ours, theirs] = ['workspaceData', 'httpRequest'].map((node) =>
		callWorkflow(`speed-${node}`, node, sandbox.url, settings),
	);
	if (ours === undefined || theirs === undefined) throw new Error('no workflows');
	const n8n = await startN8nUnderTest({
		name: 'bench-calls-speed',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [ours, theirs],
	});
	try {
		for (const workflow of [ours, theirs]) await measure(n8n, sandbox, workflow);
		for (const { latencyMs, ofHttpRequest, ofLoop } of speeds) {
			sandbox.setLatency(latencyMs);
			const taken: Array<Omit<Line, 'promise' | 'case'>> = [];
			const others: Array<Omit<Line, 'promise' | 'case'>> = [];
			const loops: number[] = [];
			for (let round = 0; round < speedRounds; round++) {
				taken.push((await measure(n8n, sandbox, ours)).line);
				others.push((await measure(n8n, sandbox, theirs)).line);
				loops.push(await timeCallLoop(sandbox.url, speedCalls, speedAtOnce));
			}
			const line = medianLine(taken);
			const other = medianLine(others);
			const loop = loops.toSorted((a, b) => a - b)[Math.floor(loops.length / 2)] ?? 0;
			const [share, times] = [line.seconds / other.seconds, line.seconds / loop];
			const what = `${speedCalls.toLocaleString('en-US')} calls, ${latencyMs} ms latency, ${speedAtOnce} at once`;
			const found = `${share.toFixed(2)} × HTTP Request, ${times.toFixed(2)} × a bare loop`;
			const isPromised = ofHttpRequest !== undefined && ofLoop !== undefined;
			note(
				{ case: `${what}: ${found}`, ...line },
				`at most ${ofHttpRequest} × and ${ofLoop} ×`,
				isPromised ? share <= ofHttpRequest && times <= ofLoop : undefined,
			);
			note({ case: `${what}, in batches`, ...other });
		}
		sandbox.setLatency(0);
	} finally {
		await n8n.stop();
	}
	console.table(lines);
}

/** What it costs to keep the results of calls, and to use kept ones, in turns with the same calls without. */
async function benchReuse(sandbox: Sandbox): Promise<void> {
	const settings = { items: speedCalls, maxConcurrent: speedAtOnce };
	const without = callWorkflow('reuse-off', 'workspaceData', sandbox.url, settings);
	// Each pays for companies that nobody has paid for.
	const rounds = ['first', 'second', 'third'].map((round) =>
		callWorkflow(`reuse-${round}`, 'workspaceData', sandbox.url, {
			...settings,
			company: round,
			reuseResultsFor: 30,
		}),
	);
	const n8n = await startN8nUnderTest({
		name: 'bench-calls-reuse',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [without, ...rounds],
	});
	try {
		await measure(n8n, sandbox, without);
		const latencyMs = 20;
		sandbox.setLatency(latencyMs);
		const taken: Record<'without' | 'paid' | 'kept', Array<Omit<Line, 'promise' | 'case'>>> = {
			without: [],
			paid: [],
			kept: [],
		};
		for (const workflow of rounds) {
			taken.without.push((await measure(n8n, sandbox, without)).line);
			taken.paid.push((await measure(n8n, sandbox, workflow)).line);
			taken.kept.push((await measure(n8n, sandbox, workflow)).line);
		}
		sandbox.setLatency(0);
		const what = `${speedCalls.toLocaleString('en-US')} calls, ${latencyMs} ms latency, ${speedAtOnce} at once`;
		const [base, paid, kept] = [taken.without, taken.paid, taken.kept].map(medianLine);
		if (base === undefined || paid === undefined || kept === undefined) return;
		note({ case: what, ...base });
		const moreMs = (1_000 * (paid.seconds - base.seconds)) / speedCalls;
		note(
			{ case: `${what}, results kept: ${moreMs.toFixed(2)} ms more per item`, ...paid },
			'at most 1 ms more, all sent',
			moreMs <= 1 && paid.requests === speedCalls && paid.succeeded === speedCalls,
		);
		const keptMs = (1_000 * kept.seconds) / speedCalls;
		note(
			{ case: `${what}, kept results used: ${keptMs.toFixed(2)} ms per item`, ...kept },
			'at most 1 ms, none sent',
			keptMs <= 1 && kept.requests === 0 && kept.succeeded === speedCalls,
		);
	} finally {
		await n8n.stop();
	}
	console.table(lines);
}

/** The run whose time is the median. */
function medianLine<T extends { seconds: number }>(taken: readonly T[]): T {
	const line = taken.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(taken.length / 2)];
	if (line === undefined) throw new Error('nothing was measured');
	return line;
}

const { values: options } = parseArgs({
	options: { only: { type: 'string' }, rates: { type: 'string', default: '5,20,50' } },
});
const sandbox = await startSandbox({ companies: 1 });
try {
	const wants = (part: string): boolean => options.only === undefined || options.only === part;
	if (wants('calls')) await benchCalls(sandbox, options.rates.split(',').map(Number));
	if (wants('speed')) await benchSpeed(sandbox);
	if (wants('reuse')) await benchReuse(sandbox);
	if (wants('memory')) broken += await benchCallMemory(sandbox);
} finally {
	await sandbox.stop();
}
process.exitCode = broken === 0 ? 0 : 1;
