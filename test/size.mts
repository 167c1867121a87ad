/** `npm run size`: how much there is of what ships and of tests. More than the bounds is a failure. */
import { globSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** What is counted, and what it may be at most. What ships has room for ten operations above 9,200 lines. */
const kinds = [
	{ name: 'ships', pattern: '{nodes,credentials}/**/*.ts', most: { lines: 9_400, files: 90 } },
	{ name: 'tests', pattern: 'test/**/*.{mts,mjs}', most: { lines: 35_000, files: 415 } },
];

const counted = (count: number): string => count.toLocaleString('en-US');

for (const { name, pattern, most } of kinds) {
	const files = globSync(pattern, {
		cwd: root,
		exclude: (part) => part === 'node_modules' || part === 'artifacts',
	});
	const texts = files.map((file) => readFileSync(new URL(file, root), 'utf8'));
	const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
	console.log(
		`${name}: ${counted(lines)} lines in ${files.length} files (at most ${counted(most.lines)} in ${most.files})`,
	);
	if (lines > most.lines || files.length > most.files) {
		console.error(`${name}: too much. Remove what does not earn its lines.`);
		process.exitCode = 1;
	}
}
