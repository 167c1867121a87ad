/** Shared parts of the SVG pictures that are drawn from the source code. */

/** Width of a picture in pixels. */
export const WIDTH = 960;

/** Breaks text into lines of at most `most` characters. Escapes the lines for SVG. */
export function wrapped(text: string, most: number): string[] {
	const lines = [''];
	for (const word of text.replaceAll('`', '').split(' ')) {
		const longer = `${lines.at(-1)} ${word}`.trim();
		if (longer.length <= most) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
}
