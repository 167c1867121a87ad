import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { pinnedFolder } from '../n8n/paths.mts';

/** Returns the hardware and the versions on which the benchmark runs. */
export async function describeMachine() {
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
