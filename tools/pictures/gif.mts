import { createRequire } from 'node:module';
import { PNG } from 'pngjs';

/** Use require, because gifenc has no types. */
const gifenc = createRequire(import.meta.url)('gifenc');

/** Frame of an animation. */
export interface Frame {
	png: Buffer;
	/** Duration of the frame in ms. */
	milliseconds: number;
}

/**
 * Maximum number of colours. A GIF has 256 palette entries. The last entry is transparent and stands for an unchanged
 * pixel.
 */
const maxColours = 255;

/**
 * Returns an animated GIF that repeats. Stores only the pixels that change between two frames, which keeps recordings
 * of a screen small. All frames use one palette, so that equal pixels have equal colours.
 * @param frames frames of the same size
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
			// Keep this frame, because the next frame is drawn over it.
			dispose: 1,
		});
		shown = index;
	}
	gif.finish();
	return gif.bytes();
}

/**
 * Returns a function that finds the nearest palette entry for the pixel at a byte offset. It caches the entry of each
 * colour.
 */
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
