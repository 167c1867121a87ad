/**
 * `npm run size`: prints the number of lines of published code, tests and benchmarks, and the longest files and
 * functions. It never fails.
 */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const root = new URL('../', import.meta.url);

const counted = (count: number): string => count.toLocaleString('en-US');

interface Sized {
	name: string;
	lines: number;
}

const longest = (all: readonly Sized[]): Sized[] =>
	all.toSorted((one, other) => other.lines - one.lines).slice(0, 5);

/** Prints the number of lines in all files that match a pattern, and the longest of these files. */
function tell(kind: string, pattern: string, leftOut: readonly string[] = []): void {
	const files = globSync(pattern, {
		cwd: root,
		exclude: (part) => ['node_modules', 'artifacts', ...leftOut].includes(part),
	}).map((name) => {
		const text = readFileSync(new URL(name, root), 'utf8');
		return { name, lines: text.split('\n').length - 1 };
	});
	const lines = files.reduce((sum, file) => sum + file.lines, 0);
	console.log(`${kind}: ${counted(lines)} lines in ${counted(files.length)} files; the longest:`);
	for (const file of longest(files)) console.log(`  ${file.lines} ${file.name}`);
}

/** Returns every function of the published code with its number of lines. */
function functionsThatShip(): Sized[] {
	return globSync('{credentials,nodes}/**/*.ts', { cwd: root }).flatMap((file) => {
		const text = readFileSync(new URL(file, root), 'utf8');
		const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
		return functionsIn(source).map((node) => ({
			name: `${file}: ${nameOf(node)}`,
			lines: node.getText().split('\n').length,
		}));
	});
}

function functionsIn(node: ts.Node): ts.Node[] {
	const inside: ts.Node[] = [];
	ts.forEachChild(node, (child) => void inside.push(...functionsIn(child)));
	return ts.isFunctionLike(node) && 'body' in node && node.body ? [node, ...inside] : inside;
}

function nameOf(node: ts.Node): string {
	if (ts.isConstructorDeclaration(node)) return 'constructor';
	const { name } = node as ts.NamedDeclaration;
	return name?.getText() ?? (ts.isSourceFile(node) ? 'at the top' : nameOf(node.parent));
}

tell('What ships', '{nodes,credentials}/**/*.ts');
tell('Tests', 'test/**/*.{mts,mjs}', ['bench', 'test/bench']);
tell('Benchmarks', 'test/bench/**/*.mts');
const functions = functionsThatShip();
console.log(`Functions that ship: ${counted(functions.length)}; the longest:`);
for (const { name, lines } of longest(functions)) console.log(`  ${lines} ${name}`);
