/** `npm run size`: how much there is of what ships and of tests. More than the bounds is a failure. */
import { globSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/** What is counted, what it may be at most, and what we want it to be. */
const kinds = [
	{
		name: 'ships',
		pattern: '{nodes,credentials}/**/*.ts',
		most: { lines: 10_100, files: 90 },
		aim: { lines: 9_500, files: 105 },
	},
	{
		name: 'tests',
		pattern: 'test/**/*.{mts,mjs}',
		most: { lines: 38_900, files: 415 },
		aim: { lines: 35_000 },
	},
];

const counted = (count: number): string => count.toLocaleString('en-US');

for (const { name, pattern, most, aim } of kinds) {
	const files = globSync(pattern, {
		cwd: root,
		exclude: (part) => part === 'node_modules' || part === 'artifacts',
	});
	const texts = files.map((file) => readFileSync(new URL(file, root), 'utf8'));
	const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
	const aims = Object.entries(aim).map(([what, count]) => `${counted(count)} ${what}`);
	console.log(
		`${name}: ${counted(lines)} lines in ${files.length} files (at most ${counted(most.lines)} in ${most.files}; aim: ${aims.join(' in ')})`,
	);
	if (lines > most.lines || files.length > most.files) {
		console.error(`${name}: too much. Remove what does not earn its lines.`);
		process.exitCode = 1;
	}
}
