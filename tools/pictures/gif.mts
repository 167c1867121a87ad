import { createRequire } from 'node:module';
import { PNG } from 'pngjs';

/** It has no types. */
const gifenc = createRequire(import.meta.url)('gifenc');

/** One picture of a moving picture. */
export interface Frame {
	png: Buffer;
	/** How long it is shown. */
	milliseconds: number;
}

/** A GIF's palette has 256 places; the last one is kept for "as before". */
const maxColours = 255;

/**
 * Makes an animated GIF that starts over at its end. What does not change from one frame to the next is not stored
 * again, so pictures of a screen become small; one palette for all frames gives it the same shade as what is drawn anew.
 *
 * @param frames pictures of one size
 */
export function encodeGif(frames: Frame[]): Uint8Array {
	const gif = gifenc.GIFEncoder();
	const pictures = frames.map(({ png }) => PNG.sync.read(png));
	const pixels = Buffer.concat(pictures.map(({ data }) => data));
	const palette: number[][] = gifenc.quantize(pixels, maxColours);
	const indexOf = nearestIn(palette);
	let shown: Uint8Array | undefined;
	for (const [place, { data, width, height }] of pictures.entries()) {
		const before = shown;
		const index = new Uint8Array(width * height).map((_none, pixel) => indexOf(data, pixel * 4));
		const changed = index.map((color, pixel) =>
			color === before?.[pixel] ? palette.length : color,
		);
		gif.writeFrame(changed, width, height, {
			...(before === undefined && { palette: [...palette, [0, 0, 0]] }),
			delay: frames[place].milliseconds,
			transparent: before !== undefined,
			transparentIndex: palette.length,
			// The next frame is drawn over this one.
			dispose: 1,
		});
		shown = index;
	}
	gif.finish();
	return gif.bytes();
}

/** Finds the place in the palette for the pixel whose red, green and blue begin at a byte; the same for each colour. */
function nearestIn(palette: number[][]): (data: Buffer, start: number) => number {
	const found = new Map<number, number>();
	return (data, start) => {
		const color = data.readUIntBE(start, 3);
		const place: number =
			found.get(color) ??
			gifenc.nearestColorIndex(palette, [data[start], data[start + 1], data[start + 2]]);
		found.set(color, place);
		return place;
	};
}
