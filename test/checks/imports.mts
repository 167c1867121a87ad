import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The repository's folder. */
export const root = new URL('../../', import.meta.url).pathname;

/** The text of a file of the repository. */
export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Every source file of the nodes. */
export const files = globSync('nodes/**/*.ts', { cwd: root }).sort();

/** The files of this package that a file imports, types included. */
function importsOf(file: string): string[] {
	return [...textOf(file).matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => {
		const found = `${path.posix.join(path.posix.dirname(file), target)}.ts`;
		if (!files.includes(found)) throw new Error(`${file} imports ${target}, which is not there.`);
		return found;
	});
}

/** What each file imports. */
export const imports = new Map(files.map((file) => [file, importsOf(file)]));
