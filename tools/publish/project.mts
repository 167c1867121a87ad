import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { repositoryFolder } from '../../test/n8n/paths.mts';

/** One item of the publish check. */
export interface Check {
	/** What is true when nothing is found. */
	name: string;
	find(): Promise<Finding[]>;
}

/** One thing that is not as it has to be for a release. */
export interface Finding {
	text: string;
	/** `npm run publish:address` replaces it. */
	isPlaceholder?: boolean;
}

/** A finding for each expectation that is not met. */
export function unmet(expectations: Record<string, boolean>): Finding[] {
	const texts = Object.keys(expectations).filter((text) => !expectations[text]);
	return texts.map((text) => ({ text }));
}

/** Reads a file of this checkout. */
export async function readText(file: string): Promise<string> {
	return await readFile(path.join(repositoryFolder, file), 'utf8');
}

/** The text of each tracked file that is text; pictures are left out. */
export async function trackedTexts(...patterns: string[]): Promise<[file: string, text: string][]> {
	const { stdout } = await execa('git', ['ls-files', '-z', ...patterns], { cwd: repositoryFolder });
	const files = stdout.split('\0').filter(Boolean);
	const texts = await Promise.all(files.map(readText));
	return files
		.map((file, index): [string, string] => [file, texts[index]])
		.filter(([, text]) => !text.includes('\0'));
}
