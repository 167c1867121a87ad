/** Draws docs/images/rooms.svg: the folders of nodes/, and which folders each folder imports from. */
import path from 'node:path';

import { files, imports, textOf } from '../../test/checks/imports.mts';
import { WIDTH, wrapped } from './boxes.mts';

/** A folder in nodes/. Its name is the path below nodes/, such as `shared/client`. */
interface Room {
	name: string;
	purpose: string;
	/** Folders from which the files of this folder import. Parent folders and subfolders are left out. */
	needs: string[];
}

const roomOf = (file: string): string => path.posix.dirname(file).replace(/^nodes\//, '');
const isAround = (outer: string, inner: string): boolean => inner.startsWith(`${outer}/`);

/** Returns all folders of nodes/ with files or subfolders. */
function allRooms(): Room[] {
	const folders = new Set(files.map(roomOf).flatMap((name) => [path.posix.dirname(name), name]));
	folders.delete('.');
	return [...folders].map((name) => {
		const own = files.filter((file) => roomOf(file) === name);
		const sentence = new RegExp(`^// nodes/${name}/: (.*)$`, 'm');
		const [, purpose = ''] = sentence.exec(files.map(textOf).join('\n')) ?? [];
		const others = own.flatMap((file) => imports.get(file) ?? []).map(roomOf);
		const isOther = (other: string) =>
			other !== name && !isAround(other, name) && !isAround(name, other);
		return { name, purpose, needs: [...new Set(others)].filter(isOther).sort() };
	});
}

const LINE = 20;
const PAD = 14;

/**
 * Draws a folder as a box with its text, and its subfolders inside the box. Returns the SVG and the height in pixels.
 */
function boxOf(room: Room, x: number, y: number, inside: Room[] = []): [svg: string, high: number] {
	const width = WIDTH - 2 * x;
	const most = Math.floor((width - 2 * PAD) / 7);
	const linesOf = (text: string, colour: string) =>
		wrapped(text, most).flatMap((line) => (line === '' ? [] : [[colour, line]]));
	const lines = [
		...linesOf(room.purpose, '#1f2937'),
		...linesOf(room.needs.length === 0 ? '' : `imports ${room.needs.join(', ')}`, '#6b7280'),
	];
	let height = PAD * 2 + LINE * (lines.length + 1);
	const parts = inside.map((inner) => {
		const [svg, high] = boxOf(inner, x + PAD, y + height);
		height += high + PAD;
		return svg;
	});
	const textAt = (line: number, style: string, text: string) =>
		`<text x="${x + PAD}" y="${y + PAD + LINE * (line + 0.7)}" ${style}>${text}</text>`;
	const svg = [
		`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="#ffffff" stroke="#9ca3af"/>`,
		textAt(0, 'font-weight="bold" fill="#111827"', `${path.posix.basename(room.name)}/`),
		...lines.map(([colour, line = ''], index) => textAt(index + 1, `fill="${colour}"`, line)),
		...parts,
	];
	return [svg.join('\n'), height];
}

/** Sorts folders so that each folder is above the folders from which it imports. */
function downwards(beside: readonly Room[], all: readonly Room[]): Room[] {
	const isIn = (outer: string, name: string) => name === outer || isAround(outer, name);
	const levelOf = (room: Room): number => {
		const needs = all.filter(({ name }) => isIn(room.name, name)).flatMap((inner) => inner.needs);
		const below = beside.filter(
			(one) => one !== room && needs.some((need) => isIn(one.name, need)),
		);
		return Math.max(0, ...below.map((other) => levelOf(other) + 1));
	};
	return beside.toSorted((a, b) => levelOf(b) - levelOf(a));
}

/** Returns the picture as SVG. */
export function pictureOfRooms(): string {
	const rooms = allRooms();
	const outer = rooms.filter(({ name }) => !name.includes('/'));
	const innerOf = (room: Room) => rooms.filter(({ name }) => isAround(room.name, name));
	let y = 40;
	const parts: string[] = [];
	for (const room of downwards(outer, rooms)) {
		const [svg, height] = boxOf(room, PAD, y, downwards(innerOf(room), rooms));
		parts.push(svg);
		y += height + PAD;
	}
	const title = 'The folders of nodes/: each imports only from those below it';
	const about = [...rooms.map(({ name, purpose }) => `${name}: ${purpose}`)].join(' ');
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="title description" font-family="Helvetica, Arial, sans-serif" font-size="13">`,
		`<title id="title">${title}</title>`,
		`<desc id="description">${about.replaceAll('`', '')}</desc>`,
		`<rect width="${WIDTH}" height="${y}" fill="#ffffff"/>`,
		`<text x="${PAD}" y="24" font-size="17" font-weight="bold" fill="#111827">${title}</text>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}
