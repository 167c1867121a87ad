import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFolder } from './paths.mts';

/**
 * Returns the first code block under a heading of a document.
 * @param document path such as `docs/ai.md`
 * @throws Error if the heading or the code block is missing
 */
export async function shownInDocs(document: string, heading: string): Promise<string> {
	const text = await readFile(path.join(repositoryFolder, document), 'utf8');
	const [, section = ''] = text.split(`# ${heading}\n`);
	const shown = /```\w+\n([\s\S]*?)\n```/.exec(section)?.[1];
	if (shown === undefined) throw new Error(`${document} shows nothing under "${heading}"`);
	return shown;
}
