import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Root folder of the repository. */
export const root = new URL('../../', import.meta.url).pathname;

/** Returns the text of a file of the repository. */
export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** All source files of the nodes. */
export const files = globSync('nodes/**/*.ts', { cwd: root }).sort();

/**
 * Returns the files of this package that a source file imports, including type imports. Throws if an imported file does
 * not exist.
 */
function importsOf(file: string): string[] {
	return [...textOf(file).matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => {
		const found = `${path.posix.join(path.posix.dirname(file), target)}.ts`;
		if (!files.includes(found)) throw new Error(`${file} imports ${target}, which is not there.`);
		return found;
	});
}

/** Imported files of each source file of the nodes, by file name. */
export const imports = new Map(files.map((file) => [file, importsOf(file)]));
