import path from 'node:path';
import { contrast } from './contrast.mts';
import { problem, unmet } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { readText, trackedFiles } from './project.mts';

/** What n8n draws behind a node's icon. */
const backgrounds = { light: '#ffffff', dark: '#2c2c2c' };

/** What the guidelines ask of graphics. */
const leastContrast = 3;

/** Icons are square SVGs, one for each theme, and stand out from what is behind them. */
export const iconChecks: Check[] = [
	{ name: 'Icons: square SVGs for both themes that stand out', find: findInIcons },
];

async function findInIcons(): Promise<Finding[]> {
	const files = (await trackedFiles('icons/*.svg')).map((file) => path.posix.normalize(file));
	const light = files.filter((file) => !file.endsWith('.dark.svg'));
	const findings = light
		.filter((file) => !files.includes(file.replace(/\.svg$/, '.dark.svg')))
		.map((file) => problem(`${file} has no .dark.svg beside it`));
	if (light.length === 0) findings.push(problem('There is no icon in icons/'));
	for (const file of files) findings.push(...(await findInIcon(file)));
	return findings;
}

async function findInIcon(file: string): Promise<Finding[]> {
	const svg = await readText(file);
	const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg) ?? [];
	// The colours of the shapes; what is drawn on top of them (here: lines and dots in groups) need not stand out.
	const colours = [...svg.matchAll(/<(?:path|rect|circle)\s+fill="(#\w+)"/g)].map(
		([, colour]) => colour,
	);
	const background = file.endsWith('.dark.svg') ? backgrounds.dark : backgrounds.light;
	const faint = colours.filter((colour) => contrast(colour, background) < leastContrast);
	return unmet({
		[`${file}: a square viewBox`]: width !== undefined && width === height,
		[`${file}: its shapes have a contrast of ${leastContrast} to ${background} (${faint.join(', ')})`]:
			colours.length > 0 && faint.length === 0,
		[`${file}: under 10 KB, no script, nothing from elsewhere`]:
			svg.length < 10_000 && !/<script|href="http|url\(http/.test(svg),
	});
}
