import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repositoryFolder } from './n8n/paths.mts';

/**
 * Returns the files of `dist` that are missing or differ from the compiled sources. Compares contents, because a
 * checkout or a copy changes the dates of files.
 * @param root folder of the package. Only tests use another folder.
 */
export function staleFiles(root = repositoryFolder): string[] {
	const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	const icons = globSync('icons/*', { cwd: root });
	const sources = [...fileNames.map((file) => path.relative(root, file)), ...icons];
	const builtName = (source: string) => path.join('dist', source.replace(/\.ts$/, '.js'));
	const isFresh = (source: string): boolean => {
		const built = path.join(root, builtName(source));
		const text = readFileSync(path.join(root, source), 'utf8');
		const compiled = source.endsWith('.ts')
			? ts.transpileModule(text, { compilerOptions: options, fileName: source }).outputText
			: text;
		return existsSync(built) && sameText(compiled, readFileSync(built, 'utf8'), source);
	};
	return sources.filter((source) => !isFresh(source)).map(builtName);
}

/** Compares two file contents. JSON files are compared by value, because the compiler changes their formatting. */
function sameText(one: string, other: string, file: string): boolean {
	if (!file.endsWith('.json')) return one === other;
	return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
}
