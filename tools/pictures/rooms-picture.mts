/** docs/images/rooms.svg: the folders of nodes/, what each imports, and where a request of a list passes. */
import path from 'node:path';

import { files, imports, textOf } from '../../test/checks/imports.mts';
import type { Step } from '../../test/checks/request-path.mts';

/** A folder of nodes/, with its path without `nodes/`. */
interface Room {
	name: string;
	purpose: string;
	/** Rooms that its files import from, those around or inside it left out. */
	needs: string[];
	/** The files that a request passes in it, with their numbers on the way. */
	passed: string[];
}

const roomOf = (file: string): string => path.posix.dirname(file).replace(/^nodes\//, '');
const isAround = (outer: string, inner: string): boolean => inner.startsWith(`${outer}/`);

function roomsWith(steps: readonly Step[]): Room[] {
	const way = [...new Set(steps.map(({ file }) => file).reverse())];
	return [...new Set(files.map(roomOf))].map((name) => {
		const own = files.filter((file) => roomOf(file) === name);
		const [, purpose = ''] = /^\/\/ \S+: (.*)$/m.exec(textOf(own[0])) ?? [];
		const others = own.flatMap((file) => imports.get(file) ?? []).map(roomOf);
		const isOther = (other: string) =>
			other !== name && !isAround(other, name) && !isAround(name, other);
		const passed = way.flatMap((file, index) =>
			roomOf(file) === name ? [`${index + 1} ${path.posix.basename(file)}`] : [],
		);
		return { name, purpose, needs: [...new Set(others)].filter(isOther).sort(), passed };
	});
}

const WIDTH = 960;
const LINE = 20;
const PAD = 14;

function wrapped(text: string, most: number): string[] {
	const lines = [''];
	for (const word of text.replaceAll('`', '').split(' ')) {
		const longer = `${lines.at(-1)} ${word}`.trim();
		if (longer.length <= most) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines;
}

/** A room as a box, and how high it is; rooms inside it come under its own lines. */
function boxOf(room: Room, x: number, y: number, inside: Room[] = []): [svg: string, high: number] {
	const width = WIDTH - 2 * x;
	const most = Math.floor((width - 2 * PAD) / 7);
	const linesOf = (text: string, colour: string) =>
		wrapped(text, most).flatMap((line) => (line === '' ? [] : [[colour, line]]));
	const lines = [
		...linesOf(room.purpose, '#1f2937'),
		...linesOf(room.needs.length === 0 ? '' : `imports ${room.needs.join(', ')}`, '#6b7280'),
		...linesOf(room.passed.join(' → '), '#1d4ed8'),
	];
	let height = PAD * 2 + LINE * (lines.length + 1);
	const parts = inside.map((inner) => {
		const [svg, high] = boxOf(inner, x + PAD, y + height);
		height += high + PAD;
		return svg;
	});
	const textAt = (line: number, style: string, text: string) =>
		`<text x="${x + PAD}" y="${y + PAD + LINE * (line + 0.7)}" ${style}>${text}</text>`;
	const fill = room.passed.length > 0 ? '#eff6ff' : '#ffffff';
	const svg = [
		`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${fill}" stroke="#9ca3af"/>`,
		textAt(0, 'font-weight="bold" fill="#111827"', `${path.posix.basename(room.name)}/`),
		...lines.map(([colour, line = ''], index) => textAt(index + 1, `fill="${colour}"`, line)),
		...parts,
	];
	return [svg.join('\n'), height];
}

/** How far a room is above those that import from no other. */
function levelOf(room: Room, rooms: readonly Room[]): number {
	const below = rooms.filter(({ name }) => room.needs.includes(name));
	return Math.max(0, ...below.map((other) => levelOf(other, rooms) + 1));
}

/**
 * The picture.
 *
 * @param steps of a request, as `stepsOfRequest` gives them
 */
export function pictureOfRooms(steps: readonly Step[]): string {
	const rooms = roomsWith(steps);
	const outer = rooms.filter(({ name }) => !name.includes('/'));
	const innerOf = (room: Room) => rooms.filter(({ name }) => isAround(room.name, name));
	const levels = outer.map((room) => levelOf(room, outer));
	let y = 56;
	const parts: string[] = [];
	for (const level of [...new Set(levels)].sort((a, b) => b - a)) {
		for (const room of outer.filter((_, index) => levels[index] === level)) {
			const [svg, height] = boxOf(room, PAD, y, innerOf(room));
			parts.push(svg);
			y += height + PAD;
		}
	}
	const title = 'The folders of nodes/: each imports only from those below it';
	const about = [...rooms.map(({ name, purpose }) => `${name}: ${purpose}`)].join(' ');
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="title description" font-family="Helvetica, Arial, sans-serif" font-size="13">`,
		`<title id="title">${title}</title>`,
		`<desc id="description">${about.replaceAll('`', '')}</desc>`,
		`<rect width="${WIDTH}" height="${y}" fill="#ffffff"/>`,
		`<text x="${PAD}" y="24" font-size="17" font-weight="bold" fill="#111827">${title}</text>`,
		`<text x="${PAD}" y="44" fill="#1d4ed8">Blue, with numbers: the files that a request of Get Many passes, from execute to HTTP</text>`,
		...parts,
		'</svg>',
		'',
	].join('\n');
}
