import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFolder } from '../n8n/paths.mts';
import type { Runtime } from '../n8n/runtime.mts';
import { createBenchRuntime, startBenchN8n } from './bench-n8n.mts';
import { measureChanges } from './changes.mts';
import { measureFaults } from './faults.mts';
import { measureMemory } from './memory.mts';
import { readOptions } from './options.mts';
import { promisesOf } from './promises.mts';
import { renderDocument } from './report.mts';
import { describeMachine } from './machine.mts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.mts';
import { timeCase, type Stand } from './timing.mts';
import type { Results } from './types.mts';
import { benchWebhooks } from './webhooks.mts';

const documentFile = path.join(repositoryFolder, 'docs/maintainers/benchmarks.md');
const say = (line: string): void => console.log(`  ${line}`);

const cases = readOptions();
const results: Results = { machine: await describeMachine(), timings: [], changes: [], memory: [] };

/** After each case or round, so that a run which is broken off keeps what it had measured. */
async function keep(): Promise<void> {
	await writeFile(documentFile, renderDocument(results));
}

async function measureAll(sandbox: SandboxProcess): Promise<void> {
	const runtime = await createBenchRuntime(sandbox.url);
	for (const wanted of cases.memory) {
		const result = await measureMemory(runtime, wanted);
		results.memory.push(result);
		const found = `${Math.round(result.peakMb)} MB, ${result.seconds.toFixed(1)} s`;
		say(`memory: ${wanted.records} records as ${wanted.output}: ${found}`);
		await keep();
	}
	for (const wanted of cases.changes) {
		results.changes.push(await measureChanges(wanted, say));
		await keep();
	}
	const { time, webhooks, faults } = cases;
	if ([...time, ...webhooks, ...faults].length > 0) await measureInOne(runtime, sandbox);
}

/** Everything but memory, in one n8n. */
async function measureInOne(runtime: Runtime, sandbox: SandboxProcess): Promise<void> {
	const n8n = await startBenchN8n(runtime);
	try {
		const stand = { sandbox, n8n, say };
		for (const load of cases.webhooks) results.webhooks = await benchWebhooks(stand, load);
		for (const records of cases.faults) results.faults = await measureFaults(stand, records);
		await keep();
		await measureTimes(stand);
	} finally {
		await n8n.stop();
	}
}

/**
 * Round by round: a slow minute of the machine hits one round of each case then, which medians leave out, and not all
 * rounds of one.
 */
async function measureTimes(stand: Stand): Promise<void> {
	// A round of its own that does not count, so that nobody pays for the machine's and the compilers' warming up. It is
	// printed, so that a failure in it is seen.
	const warming = { ...stand, say: (line: string) => say(`warm-up: ${line}`) };
	for (const wanted of cases.time) await timeCase(warming, wanted).nextRound();
	const timed = cases.time.map((wanted) => ({ wanted, ...timeCase(stand, wanted) }));
	results.timings = timed.map(({ result }) => result);
	const most = Math.max(0, ...cases.time.map(({ rounds }) => rounds));
	for (let round = 0; round < most; round++) {
		for (const { wanted, nextRound } of timed) if (round < wanted.rounds) await nextRound();
		await keep();
	}
}

const sizes = [...cases.time, ...cases.memory].map(({ records }) => records);
const sandbox = await startSandboxProcess(Math.max(1, ...sizes, ...cases.faults));
try {
	await measureAll(sandbox);
} finally {
	await sandbox.stop();
}
console.log(`\n${renderDocument(results)}`);
if (promisesOf(results).some(({ kept }) => !kept)) process.exitCode = 1;
