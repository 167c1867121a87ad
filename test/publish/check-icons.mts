import { trackedTexts, unmet } from './project.mts';
import type { Check } from './project.mts';

/** What n8n draws behind a node's icon. */
const backgrounds = { light: '#ffffff', dark: '#2c2c2c' };

/** What the guidelines ask of graphics. */
const leastContrast = 3;

/** That the files are there, one for each theme, is among n8n's lint rules. */
export const iconChecks: Check[] = [
	{
		name: 'Icons: square SVGs that stand out from what is behind them',
		find: async () => (await trackedTexts('icons/*.svg')).flatMap(findInIcon),
	},
];

function findInIcon([file, svg]: [file: string, svg: string]) {
	const background = luminance(file.endsWith('.dark.svg') ? backgrounds.dark : backgrounds.light);
	// The colours of the shapes; what is drawn on top of them (here: lines and dots in groups) need not stand out.
	const colours = [...svg.matchAll(/<(?:path|rect|circle)\s+fill="(#\w{6})"/g)];
	const contrasts = colours.map(([, colour]) => {
		const [darker, lighter] = [luminance(colour), background].sort((a, b) => a - b);
		return (lighter + 0.05) / (darker + 0.05);
	});
	return unmet({
		[`${file}: a square viewBox`]: /viewBox="0 0 (\S+) \1"/.test(svg),
		[`${file}: shapes with a contrast of ${leastContrast} to what is behind them (${contrasts.join()})`]:
			contrasts.length > 0 && Math.min(...contrasts) >= leastContrast,
		[`${file}: under 10 KB, no script, nothing from elsewhere`]:
			svg.length < 10_000 && !/<script|href="http|url\(http/.test(svg),
	});
}

/** The luminance of a colour such as "#1f5fd0" by the web's accessibility guidelines (WCAG 2). */
function luminance(colour: string): number {
	const [red, green, blue] = [1, 3, 5].map((place) => {
		const value = Number.parseInt(colour.slice(place, place + 2), 16) / 255;
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
