import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { repositoryFolder } from '../n8n/paths.mts';

/** The parts of package.json that the publish check looks at. */
export interface Manifest {
	name: string;
	version: string;
	license?: string;
	homepage?: string;
	author?: { name?: string; email?: string };
	repository?: { url?: string };
	scripts?: Record<string, string>;
	n8n?: { strict?: boolean; nodes: string[] };
}

/** Reads a file of this checkout. */
export async function readText(file: string): Promise<string> {
	return await readFile(path.join(repositoryFolder, file), 'utf8');
}

/** Reads a JSON file of this checkout, whose shape the caller knows. */
export async function readJson<Content>(file: string): Promise<Content> {
	return JSON.parse(await readText(file)) as Content;
}

/** The files that git tracks, by path from the checkout's folder. */
export async function trackedFiles(...patterns: string[]): Promise<string[]> {
	const { stdout } = await execa('git', ['ls-files', '-z', ...patterns], { cwd: repositoryFolder });
	return stdout.split('\0').filter(Boolean);
}

/** The text of each tracked file that is text; pictures are left out. */
export async function trackedTexts(...patterns: string[]): Promise<[file: string, text: string][]> {
	const files = await trackedFiles(...patterns);
	const texts = await Promise.all(
		files.map(async (file): Promise<[string, string]> => [file, await readText(file)]),
	);
	return texts.filter(([, text]) => !text.includes('\0'));
}
