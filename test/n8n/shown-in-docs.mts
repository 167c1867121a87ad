import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFolder } from './paths.mts';

/**
 * What a document shows in the first block of code under a heading.
 *
 * @param document such as `docs/ai.md`
 * @throws where there is none
 */
export async function shownInDocs(document: string, heading: string): Promise<string> {
	const text = await readFile(path.join(repositoryFolder, document), 'utf8');
	const [, section = ''] = text.split(`\n## ${heading}\n`);
	const shown = /```\w+\n([\s\S]*?)\n```/.exec(section)?.[1];
	if (shown === undefined) throw new Error(`${document} shows nothing under "${heading}"`);
	return shown;
}
