import { ExplainedError } from '../n8n/errors.mts';
import type { Runtime } from '../n8n/runtime.mts';
import { createBenchRuntime, startBenchN8n, type BenchN8n } from './bench-n8n.mts';
import { measureMemory } from './memory.mts';
import { readOptions, usage, type BenchOptions } from './options.mts';
import { promisesOf } from './promises.mts';
import { renderDocument } from './report.mts';
import { describeMachine, loadResults, saveResults, writeDocument } from './results.mts';
import { measureFaults } from './faults.mts';
import { startSandboxProcess } from './sandbox-process.mts';
import { runsOf, timeCase, type TimingStand } from './timing.mts';
import { measureInRounds } from './turns.mts';
import type { Results } from './types.mts';
import { benchWebhooks } from './webhooks.mts';

const say = (line: string): void => console.log(`  ${line}`);

/** The whole of `npm run bench`. Gives the exit code: 1 where something of ours failed or broke its promise. */
async function main(commandLine: string[]): Promise<number> {
	const options = readOptions(commandLine);
	if (options.help) {
		console.log(usage);
		return 0;
	}
	if (options.render) {
		await writeDocument(await loadResults());
		return 0;
	}
	const results = await measureAll(options);
	console.log(`\n${renderDocument(results)}`);
	const failures = ownFailures(results);
	for (const failure of failures) console.error(failure);
	return failures.length > 0 || promisesOf(results).some(({ kept }) => !kept) ? 1 : 0;
}

async function measureAll(options: BenchOptions): Promise<Results> {
	const results: Results = {
		machine: await describeMachine(),
		timings: [],
		memory: [],
	};
	// After each case or round, so that a run which is broken off keeps what it had measured.
	const keep = async (): Promise<void> => {
		if (!options.write) return;
		await saveResults(results);
		await writeDocument(results);
	};
	const sandbox = await startSandboxProcess(options.companies);
	try {
		const runtime = await createBenchRuntime(sandbox.url);
		for (const wanted of options.memory) {
			const result = await measureMemory(runtime, wanted);
			results.memory.push(result);
			say(
				`memory: ${wanted.records} records as ${wanted.output}: ${result.failed ?? `${Math.round(result.peakMb)} MB, ${result.seconds.toFixed(1)} s`}`,
			);
			await keep();
		}
		const stand = { sandbox, say };
		const { webhooks } = options;
		if (webhooks !== undefined) {
			results.webhooks = await withN8n(runtime, (n8n) =>
				benchWebhooks({ ...stand, n8n }, webhooks, options.runs),
			);
			await keep();
		}
		if (options.faults) {
			results.faults = await withN8n(runtime, (n8n) => measureFaults({ ...stand, n8n }));
			await keep();
		}
		await withN8n(runtime, (n8n) => measureTimes(options, { ...stand, n8n }, results, keep));
	} finally {
		await sandbox.stop();
	}
	return results;
}

/** One n8n for several measurements; a new one where the last one was ended by what it had to do. */
async function withN8n<Result>(
	runtime: Runtime,
	measure: (n8n: TimingStand['n8n']) => Promise<Result>,
): Promise<Result> {
	let running: BenchN8n | undefined;
	let hasEnded = false;
	try {
		return await measure(async () => {
			if (running !== undefined && !hasEnded) return running;
			const started = await startBenchN8n(runtime);
			hasEnded = false;
			void started.server.ended.then(() => (hasEnded = true));
			return (running = started);
		});
	} finally {
		await running?.stop();
	}
}

async function measureTimes(
	{ timings, runs }: BenchOptions,
	stand: TimingStand,
	results: Results,
	keep: () => Promise<void>,
): Promise<void> {
	// A round of its own that does not count, so that nobody pays for the machine's and the compilers' warming up. It is
	// printed, so that a failure in it is seen.
	const warming = { ...stand, say: (line: string) => stand.say(`warm-up: ${line}`) };
	for (const timing of timings) await timeCase(warming, timing).nextRound();
	const series = timings.map((one) => ({ ...timeCase(stand, one), rounds: runsOf(one, runs) }));
	await measureInRounds(series, async () => {
		results.timings = series.map(({ result }) => result);
		await keep();
	});
}

/** Where HTTP Request fails, that is a result. */
function ownFailures({ timings, webhooks, memory }: Results): string[] {
	return [
		...timings.flatMap(({ failures }) => failures.node ?? []),
		...(webhooks?.failures.node === undefined ? [] : [webhooks.failures.node]),
		...memory.flatMap(({ output, failed }) => (output === 'httpRequest' ? [] : (failed ?? []))),
	].map((failure) => `The Workspace Data node failed: ${failure}`);
}

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	console.error(error instanceof ExplainedError ? error.message : error);
	process.exitCode = 1;
}
