/**
 * Thousands of calls in a real n8n: how fast, how bounded, how polite, and in how much memory (`npm run bench:calls`).
 * The node stands beside n8n's HTTP Request node on the same service, in the same n8n, one after the other. Exits 1
 * when a promise is broken. The speed of thousands of short calls is that of medians, taken in turns with HTTP Request in
 * batches and with a bare loop of as many at once.
 *
 *   npm run bench:calls -- [--only calls|speed|reuse|memory] [--rates 5,20,50]
 */
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { bothNodes, brokenPromises, inN8n, medianLine, note } from './call-lines.mts';
import type { MeasuredLine } from './call-lines.mts';
import { timeCallLoop } from './call-loop.mts';
import { benchCallMemory } from './call-memory.mts';
import { callWorkflow } from './call-workflows.mts';
import { median } from './statistics.mts';

/** Each is taken so often, in turns. */
const speedRounds = 3;
const speedCalls = 5_000;
const speedAtOnce = 20;
/** Latencies in ms, with the most that the node may take: of what HTTP Request takes, and of the bare loop. */
const speeds = [{ latencyMs: 20, ofHttpRequest: 0.4, ofLoop: 1.3 }, { latencyMs: 50 }];

/** So long the calls to a service with a limit would take at its rate. */
const limitedSeconds = 120;

/** Calls against a service that is slow, that limits the rate, and with many that are alike. */
async function benchCalls(sandbox: Sandbox, rates: readonly number[]): Promise<void> {
	const common = { maxConcurrent: 20 };
	const latency = bothNodes('latency', sandbox.url, { items: 1_000, ...common });
	const limited = rates.map((rate) => {
		// Learning counts, so a run is as long as docs/maintainers/pace.md judges it by.
		const items = rate * limitedSeconds;
		return {
			rate,
			items,
			workflows: bothNodes(`limited ${rate}`, sandbox.url, { items, ...common }),
		};
	});
	const warmUp = bothNodes('warm-up', sandbox.url, { items: 300, ...common });
	const identical = callWorkflow('identical', 'workspaceData', sandbox.url, {
		items: 10_000,
		distinct: 500,
		sendIdenticalOnce: true,
		...common,
	});
	const all = [...warmUp, ...latency, ...limited.flatMap(({ workflows }) => workflows), identical];
	await inN8n('bench-calls', sandbox, all, async (run) => {
		// Once without counting, so that nobody pays for the start of n8n and the compilers' warming up.
		for (const workflow of warmUp) await run(workflow);
		sandbox.setLatency(100);
		for (const workflow of latency) {
			const { line, inOrder } = await run(workflow);
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
				const { line, refusedShare } = await run(workflow);
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
		const { line } = await run(identical);
		note(
			{ case: '10,000 items, 500 distinct bodies, sent once each', ...line },
			'500 requests, 10,000 results',
			line.requests === 500 && line.succeeded === 10_000,
		);
	});
}

/** Thousands of calls that are answered soon, in turns with whatever else sends so many at once. */
async function benchSpeed(sandbox: Sandbox): Promise<void> {
	const settings = { items: speedCalls, maxConcurrent: speedAtOnce, batchSize: speedAtOnce };
	const [ours, theirs] = bothNodes('speed', sandbox.url, settings);
	await inN8n('bench-calls-speed', sandbox, [ours, theirs], async (run) => {
		for (const workflow of [ours, theirs]) await run(workflow);
		for (const { latencyMs, ofHttpRequest, ofLoop } of speeds) {
			sandbox.setLatency(latencyMs);
			const taken: MeasuredLine[] = [];
			const others: MeasuredLine[] = [];
			const loops: number[] = [];
			for (let round = 0; round < speedRounds; round++) {
				taken.push((await run(ours)).line);
				others.push((await run(theirs)).line);
				loops.push(await timeCallLoop(sandbox.url, speedCalls, speedAtOnce));
			}
			const line = medianLine(taken);
			const other = medianLine(others);
			const loop = median(loops);
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
	});
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
	await inN8n('bench-calls-reuse', sandbox, [without, ...rounds], async (run) => {
		await run(without);
		const latencyMs = 20;
		sandbox.setLatency(latencyMs);
		const taken: Record<'without' | 'paid' | 'kept', MeasuredLine[]> = {
			without: [],
			paid: [],
			kept: [],
		};
		for (const workflow of rounds) {
			taken.without.push((await run(without)).line);
			taken.paid.push((await run(workflow)).line);
			taken.kept.push((await run(workflow)).line);
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
	});
}

const { values: options } = parseArgs({
	options: { only: { type: 'string' }, rates: { type: 'string', default: '5,20,50' } },
});
let brokenOfMemory = 0;
const sandbox = await startSandbox({ companies: 1 });
try {
	const wants = (part: string): boolean => options.only === undefined || options.only === part;
	if (wants('calls')) await benchCalls(sandbox, options.rates.split(',').map(Number));
	if (wants('speed')) await benchSpeed(sandbox);
	if (wants('reuse')) await benchReuse(sandbox);
	if (wants('memory')) brokenOfMemory = await benchCallMemory(sandbox);
} finally {
	await sandbox.stop();
}
process.exitCode = brokenPromises() + brokenOfMemory === 0 ? 0 : 1;
