/** What the pictures that are made from the code share. */

/** How wide they are. */
export const WIDTH = 960;

/** A text in lines of at most so many characters, as a picture can hold it. */
export function wrapped(text: string, most: number): string[] {
	const lines = [''];
	for (const word of text.replaceAll('`', '').split(' ')) {
		const longer = `${lines.at(-1)} ${word}`.trim();
		if (longer.length <= most) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
}
