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
import { timeCase, type Setup } from './timing.mts';
import type { Results } from './types.mts';
import { benchShortLists } from './short-lists.mts';
import { benchWebhooks } from './webhooks.mts';

const documentFile = path.join(repositoryFolder, 'docs/maintainers/benchmarks.md');
const say = (line: string): void => console.log(`  ${line}`);

const cases = readOptions();
const results: Results = { machine: await describeMachine(), timings: [], changes: [], memory: [] };

/**
 * Writes docs/maintainers/benchmarks.md. Called after each case or round, so that an interrupted run keeps its results.
 */
async function keep(): Promise<void> {
	await writeFile(documentFile, renderDocument(results));
}

async function measureAll(sandbox: SandboxProcess): Promise<void> {
	const runtime = await createBenchRuntime(sandbox.url);
	for (const memoryCase of cases.memory) {
		const result = await measureMemory(runtime, memoryCase);
		results.memory.push(result);
		const found = `${Math.round(result.peakMb)} MB, ${result.seconds.toFixed(1)} s`;
		say(`memory: ${memoryCase.records} records as ${memoryCase.output}: ${found}`);
		await keep();
	}
	for (const changesCase of cases.changes) {
		results.changes.push(await measureChanges(changesCase, say));
		await keep();
	}
	const { time, shortLists, webhooks, faults } = cases;
	if ([...time, ...shortLists, ...webhooks, ...faults].length > 0)
		await measureInOne(runtime, sandbox);
}

/** Measures webhooks, faults, short lists and times, all in one n8n process. */
async function measureInOne(runtime: Runtime, sandbox: SandboxProcess): Promise<void> {
	const n8n = await startBenchN8n(runtime);
	try {
		const setup = { sandbox, n8n, say };
		for (const load of cases.webhooks) results.webhooks = await benchWebhooks(setup, load);
		for (const records of cases.faults) results.faults = await measureFaults(setup, records);
		for (const short of cases.shortLists) results.shortLists = await benchShortLists(setup, short);
		await keep();
		await measureTimes(setup);
	} finally {
		await n8n.stop();
	}
}

/**
 * Measures the times of all cases round by round. A slow minute then affects one round of every case, which the median
 * ignores, instead of every round of one case.
 */
async function measureTimes(setup: Setup): Promise<void> {
	// The first round warms up the machine and the compilers, so its times do not count. Print its lines, so that a
	// failure is visible.
	const warming = { ...setup, say: (line: string) => say(`warm-up: ${line}`) };
	for (const timingCase of cases.time) await timeCase(warming, timingCase).nextRound();
	const timed = cases.time.map((timingCase) => ({ timingCase, ...timeCase(setup, timingCase) }));
	results.timings = timed.map(({ result }) => result);
	const most = Math.max(0, ...cases.time.map(({ rounds }) => rounds));
	for (let round = 0; round < most; round++) {
		for (const { timingCase, nextRound } of timed) if (round < timingCase.rounds) await nextRound();
		await keep();
	}
}

const sizes = [...cases.time, ...cases.memory].map(({ records }) => records);
const sandbox = await startSandboxProcess(Math.max(10, ...sizes, ...cases.faults));
try {
	await measureAll(sandbox);
} finally {
	await sandbox.stop();
}
console.log(`\n${renderDocument(results)}`);
if (promisesOf(results).some(({ kept }) => !kept)) process.exitCode = 1;
