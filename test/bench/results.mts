import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { pinnedFolder, repositoryFolder, stateFolder } from '../n8n/paths.mts';
import { renderDocument } from './report.mts';
import type { Machine, Results } from './types.mts';

const resultsFile = path.join(stateFolder, 'bench', 'results.json');
const documentFile = path.join(repositoryFolder, 'docs/maintainers/benchmarks.md');

/** What everything is measured on. */
export async function describeMachine(): Promise<Machine> {
	const pinned = JSON.parse(await readFile(path.join(pinnedFolder, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return {
		processor: cpus()[0]?.model.trim() || 'unknown processor',
		cores: cpus().length,
		memoryGb: Math.round(totalmem() / 1_024 ** 3),
		node: process.versions.node,
		n8n: pinned.dependencies.n8n,
		date: new Date().toISOString().slice(0, 10),
	};
}

/** Keeps the numbers, so that the document can be written again without measuring. */
export async function saveResults(results: Results): Promise<void> {
	await mkdir(path.dirname(resultsFile), { recursive: true });
	await writeFile(resultsFile, `${JSON.stringify(results, null, '\t')}\n`);
}

/** The numbers of the last run. Throws where there are none. */
export async function loadResults(): Promise<Results> {
	return JSON.parse(await readFile(resultsFile, 'utf8')) as Results;
}

/** Writes docs/maintainers/benchmarks.md. */
export async function writeDocument(results: Results): Promise<void> {
	await writeFile(documentFile, renderDocument(results));
}
