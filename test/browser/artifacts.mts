import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repositoryFolder } from '../n8n/paths.mts';
import type { UsedN8n } from '../n8n/n8n-under-test.mts';
import type { Sandbox } from '../sandbox/server.mts';

/** Everything that browser tests leave behind: ignored by git. */
export const artifactsFolder = path.join(repositoryFolder, 'test/artifacts/browser');

/** What is kept of a test that failed. */
export interface Evidence {
	/** Name of the test file. */
	file: string;
	/** Name of the test. */
	test: string;
	/** The pages it had open. */
	pages: Page[];
	/** Errors that the browser's console showed. */
	problems: string[];
	n8n: UsedN8n;
	sandbox: Sandbox;
}

/**
 * Writes a failed test's screenshots, page titles and addresses, console errors, n8n's log and the sandbox's
 * request log into a folder of its own.
 */
export async function keepEvidence(evidence: Evidence): Promise<void> {
	const folder = path.join(artifactsFolder, 'failed', fileNameFor(evidence.file, evidence.test));
	await mkdir(folder, { recursive: true });
	for (const [index, page] of evidence.pages.entries()) {
		const base = path.join(folder, `page-${index + 1}`);
		await page.screenshot({ path: `${base}.png` });
		const title = await page.title();
		await writeFile(`${base}.txt`, `${title}\n${page.url()}\n`);
	}
	await writeFile(path.join(folder, 'console.txt'), evidence.problems.join('\n'));
	await copyFile(evidence.n8n.server.logFile, path.join(folder, 'n8n-log.txt'));
	const requests = evidence.sandbox.requests.map((request) => JSON.stringify(request));
	await writeFile(path.join(folder, 'sandbox-requests.ndjson'), requests.join('\n'));
	console.error(`What "${evidence.test}" left to look at: ${folder}`);
}

/**
 * Takes a picture for a person to look at.
 *
 * @param target a page or a part of one
 * @param nameParts what it shows; they become its file name
 */
export async function takePicture(target: Page | Locator, ...nameParts: string[]): Promise<void> {
	const file = path.join(artifactsFolder, `${fileNameFor(...nameParts)}.png`);
	await target.screenshot({ path: file });
}

function fileNameFor(...parts: string[]): string {
	return parts
		.join(' ')
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-');
}
