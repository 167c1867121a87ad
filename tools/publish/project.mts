import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { repositoryFolder } from '../../test/n8n/paths.mts';

/** Check that must pass before a release. */
export interface Check {
	/** Statement that is true if the check passes. */
	name: string;
	find(): Promise<Finding[]>;
}

/** Problem that prevents a release. */
export interface Finding {
	text: string;
	/** Whether the problem is only the placeholder address, which `npm run publish:address` replaces. */
	isPlaceholder?: boolean;
}

/** Returns a finding for each expectation that is false, with the expectation's key as its text. */
export function unmet(expectations: Record<string, boolean>): Finding[] {
	const texts = Object.keys(expectations).filter((text) => !expectations[text]);
	return texts.map((text) => ({ text }));
}

/** Reads a file of this checkout. */
export async function readText(file: string): Promise<string> {
	return await readFile(path.join(repositoryFolder, file), 'utf8');
}

/** Returns the paths and contents of all text files that git tracks. */
export async function trackedTexts(...patterns: string[]): Promise<[file: string, text: string][]> {
	const { stdout } = await execa('git', ['ls-files', '-z', ...patterns], { cwd: repositoryFolder });
	const files = stdout.split('\0').filter(Boolean);
	const texts = await Promise.all(files.map(readText));
	return files
		.map((file, index): [string, string] => [file, texts[index]])
		.filter(([, text]) => !text.includes('\0'));
}
