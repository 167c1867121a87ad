import { median } from './statistics.mts';
import {
	contenderNames,
	contenders,
	describePageSize,
	type Contender,
	type Results,
	type TimingResult,
} from './types.mts';

const width = 760;
const labelWidth = 210;
const barHeight = 20;
const barGap = 4;
const groupGap = 26;
const top = 76;
/** Distinguishable for the colour-blind, and on light and dark pages. */
const colours: Record<Contender, string> = {
	node: '#0072b2',
	httpRequest: '#d55e00',
	fetchLoop: '#8c8c8c',
};
/** Grey that is readable on a white and on a black page. */
const ink = '#767676';

/**
 * An SVG chart of the times without latency: one group of bars per case, each group with a scale of its own, since
 * the cases differ by a factor of a hundred.
 */
export function renderChart({ timings }: Results): string {
	const shown = timings.filter(({ latencyMs }) => latencyMs === 0);
	const groupHeight = contenders.length * (barHeight + barGap) + groupGap;
	const height = top + shown.length * groupHeight;
	const groups = shown.map((timing, index) => group(timing, top + index * groupHeight));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13" fill="${ink}">`,
		`<title id="title">Seconds to read records, by the way of reading them</title>`,
		`<text x="0" y="20" font-size="16" font-weight="600">Seconds to read records (shorter is better)</text>`,
		`<text x="0" y="40">Medians. Each group has its own scale.</text>`,
		legend(),
		...groups,
		'</svg>',
		'',
	].join('\n');
}

function legend(): string {
	return contenders
		.map((contender, index) => {
			const x = index * 230;
			return `<rect x="${x}" y="50" width="12" height="12" fill="${colours[contender]}"/><text x="${x + 18}" y="61">${contenderNames[contender]}</text>`;
		})
		.join('\n');
}

function group(timing: TimingResult, y: number): string {
	const medians = contenders.map((contender) => median(timing.seconds[contender]));
	const longest = Math.max(...medians.filter((seconds) => !Number.isNaN(seconds)));
	const title = `${timing.records.toLocaleString('en-US')} records`;
	const bars = contenders.map((contender, index) => {
		const seconds = medians[index];
		const barY = y + index * (barHeight + barGap);
		const fails = timing.failures[contender] !== undefined || Number.isNaN(seconds);
		const length = fails ? 0 : (seconds / longest) * (width - labelWidth - 70);
		const label = fails ? 'fails' : seconds.toFixed(2);
		return [
			`<rect x="${labelWidth}" y="${barY}" width="${length.toFixed(1)}" height="${barHeight}" fill="${colours[contender]}"/>`,
			`<text x="${(labelWidth + length + 6).toFixed(1)}" y="${barY + 15}">${label}</text>`,
		].join('');
	});
	return [
		`<text x="0" y="${y + 15}" font-weight="600">${title}</text>`,
		`<text x="0" y="${y + 34}">${timing.pageSize === 'default' ? 'default settings' : `${describePageSize(timing.pageSize)} per page`}</text>`,
		...bars,
	].join('\n');
}
