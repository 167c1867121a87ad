import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach } from 'vitest';
import type { Sandbox } from '../sandbox/server.mts';
import { repositoryFolder } from './paths.mts';

/** Folder for the logs of failed tests. Git ignores the folder. */
export const artifactsFolder = path.join(repositoryFolder, 'test/artifacts');

/** Logs to keep if a test fails. */
interface Evidence {
	/** Log files of servers. Files that do not exist are skipped. */
	logFiles: string[];
	/** Sandbox (the simulated service) whose request log is kept. */
	sandbox: Sandbox;
}

/**
 * Copies the server logs and the sandbox's request log to `test/artifacts/<name>/<test>/` after each failed test of a
 * file. The request log contains no secrets.
 */
export function keepEvidenceOfFailures(name: string, evidence: () => Evidence): void {
	afterEach(async ({ task }) => {
		if (task.result?.state !== 'fail') return;
		const folder = path.join(artifactsFolder, name, task.name.replaceAll(/\W+/g, '-').slice(0, 80));
		const { logFiles, sandbox } = evidence();
		await mkdir(folder, { recursive: true });
		for (const file of logFiles) {
			await copyFile(file, path.join(folder, path.basename(file))).catch(() => undefined);
		}
		const lines = sandbox.requests.map((request) => JSON.stringify(request));
		await writeFile(path.join(folder, 'sandbox-requests.ndjson'), `${lines.join('\n')}\n`);
		console.log(`Logs of the failed test: ${path.relative(repositoryFolder, folder)}`);
	});
}
