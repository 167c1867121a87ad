import { ExplainedError } from '../n8n/errors.mts';
import type { Runtime } from '../n8n/runtime.mts';
import { createBenchRuntime, startBenchN8n, type BenchN8n } from './bench-n8n.mts';
import { measureMemory } from './memory.mts';
import { readOptions, usage, type BenchOptions } from './options.mts';
import { promisesOf } from './promises.mts';
import { renderTables } from './report.mts';
import { describeMachine, loadResults, saveResults, writeDocuments } from './results.mts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.mts';
import { timeCase } from './timing.mts';
import type { PageSizes, Results } from './types.mts';

const say = (line: string): void => console.log(`  ${line}`);

/** The whole of `npm run bench`. Gives the exit code: 1 where something of ours failed or broke its promise. */
async function main(commandLine: string[]): Promise<number> {
	const options = readOptions(commandLine);
	if (options.help) {
		console.log(usage);
		return 0;
	}
	if (options.render) {
		await writeDocuments(await loadResults());
		return 0;
	}
	const results = await measureAll(options);
	console.log(`\n${renderTables(results)}`);
	const failures = ownFailures(results);
	for (const failure of failures) console.error(failure);
	return failures.length > 0 || promisesOf(results).some(({ kept }) => !kept) ? 1 : 0;
}

async function measureAll(options: BenchOptions): Promise<Results> {
	const results: Results = {
		machine: await describeMachine(),
		runs: options.runs,
		timings: [],
		memory: [],
	};
	// After each case, so that a run which is broken off keeps what it had measured.
	const keep = async (): Promise<void> => {
		if (!options.write) return;
		results.timings.sort(
			(a, b) =>
				orderOf(b.pageSize) - orderOf(a.pageSize) ||
				a.latencyMs - b.latencyMs ||
				a.records - b.records,
		);
		await saveResults(results);
		await writeDocuments(results);
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
		await measureTimes(options, { sandbox, runtime, results, keep });
	} finally {
		await sandbox.stop();
	}
	return results;
}

/** What people get who set nothing comes first. */
function orderOf(pageSize: PageSizes): number {
	return pageSize === 'default' ? 1 : -pageSize;
}

async function measureTimes(
	options: BenchOptions,
	{
		sandbox,
		runtime,
		results,
		keep,
	}: {
		sandbox: SandboxProcess;
		runtime: Runtime;
		results: Results;
		keep: () => Promise<void>;
	},
): Promise<void> {
	if (options.timings.length === 0) return;
	let running: BenchN8n | undefined;
	let hasEnded = false;
	const n8n = async (): Promise<BenchN8n> => {
		if (running !== undefined && !hasEnded) return running;
		const started = await startBenchN8n(runtime);
		hasEnded = false;
		void started.server.ended.then(() => (hasEnded = true));
		return (running = started);
	};
	try {
		const stand = { sandbox, n8n, runs: options.runs, say };
		// Once without counting, so that nobody pays for the machine's and the compilers' warming up.
		const small = Math.min(10_000, options.companies);
		await timeCase(
			{ ...stand, runs: 1, say: () => undefined },
			{ records: small, pageSize: 100, latencyMs: 0 },
		);
		for (const timing of options.timings) {
			results.timings.push(await timeCase(stand, timing));
			await keep();
		}
	} finally {
		await running?.stop();
	}
}

function ownFailures({ timings, memory }: Results): string[] {
	return [
		...timings.flatMap(({ failures }) => failures.node ?? []),
		...memory.flatMap(({ failed }) => failed ?? []),
	].map((failure) => `The Workspace Data node failed: ${failure}`);
}

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	console.error(error instanceof ExplainedError ? error.message : error);
	process.exitCode = 1;
}
