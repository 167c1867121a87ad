import { ExplainedError } from '../n8n/errors.mts';
import type { Runtime } from '../n8n/runtime.mts';
import { createBenchRuntime, startBenchN8n, type BenchN8n } from './bench-n8n.mts';
import { measureMemory } from './memory.mts';
import { readOptions, usage, type BenchOptions } from './options.mts';
import { promisesOf } from './promises.mts';
import { renderTables } from './report.mts';
import { describeMachine, loadResults, saveResults, writeDocuments } from './results.mts';
import { measureFaults } from './faults.mts';
import { timeFiles } from './file-timing.mts';
import { startSandboxProcess } from './sandbox-process.mts';
import { isLarge, runsOf, timeCase, type TimingStand } from './timing.mts';
import { measureInRounds } from './turns.mts';
import type { FileCase, MemoryResult, PageSizes, Results, TimingCase } from './types.mts';
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
		timings: [],
		files: [],
		memory: [],
	};
	// After each case or round, so that a run which is broken off keeps what it had measured.
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

/** What people get who set nothing comes first. */
function orderOf(pageSize: PageSizes): number {
	return pageSize === 'default' ? 1 : -pageSize;
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
	{ timings, files, runs }: BenchOptions,
	stand: TimingStand,
	results: Results,
	keep: () => Promise<void>,
): Promise<void> {
	if (timings.length + files.length === 0) return;
	await warmUp(timings, files, stand);
	const ofLists = timings.map((one) => ({ ...timeCase(stand, one), rounds: runsOf(one, runs) }));
	const ofFiles = files.map((file) => ({ ...timeFiles(stand, file), rounds: runs }));
	const keepThese = async (lists: typeof ofLists): Promise<void> => {
		results.timings = lists.map(({ result }) => result);
		results.files = ofFiles.map(({ result }) => result);
		await keep();
	};
	const large = ofLists.filter(({ result }) => isLarge(result));
	const others = ofLists.filter(({ result }) => !isLarge(result));
	await measureInRounds([...others, ...ofFiles], async () => await keepThese(others));
	// Last, since what they leave in n8n's memory would slow what comes after them.
	await measureInRounds(large, async () => await keepThese(ofLists));
}

/**
 * A round of its own that does not count, so that nobody pays for the machine's and the compilers' warming up. It is
 * printed, so that a failure in it is seen.
 */
async function warmUp(timings: TimingCase[], files: FileCase[], stand: TimingStand): Promise<void> {
	const warming = { ...stand, say: (line: string) => stand.say(`warm-up: ${line}`) };
	const series = [
		...timings.filter((timing) => !isLarge(timing)).map((timing) => timeCase(warming, timing)),
		...files.map((file) => timeFiles(warming, file)),
	];
	for (const one of series) await one.nextRound();
}

/** Where HTTP Request fails, that is a result. */
function isOwn({ output }: MemoryResult): boolean {
	return output !== 'httpRequest';
}

function ownFailures({ timings, files, webhooks, memory }: Results): string[] {
	return [
		...[...timings, ...files].flatMap(({ failures }) => failures.node ?? []),
		...(webhooks?.failures.node === undefined ? [] : [webhooks.failures.node]),
		...memory.filter(isOwn).flatMap(({ failed }) => failed ?? []),
	].map((failure) => `The Workspace Data node failed: ${failure}`);
}

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	console.error(error instanceof ExplainedError ? error.message : error);
	process.exitCode = 1;
}
