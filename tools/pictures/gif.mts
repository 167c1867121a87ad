import { createRequire } from 'node:module';
import { PNG } from 'pngjs';

/** The package has no types. */
const gifenc = createRequire(import.meta.url)('gifenc');

/** One frame of an animation. */
export interface Frame {
	png: Buffer;
	/** Duration of the frame in ms. */
	milliseconds: number;
}

/** Number of colours. A palette of a GIF has 256 entries, and the last entry means "unchanged". */
const maxColours = 255;

/**
 * Returns an animated GIF that repeats. Pixels that do not change between frames are stored once, which keeps
 * recordings of a screen small. One palette for all frames gives unchanged and redrawn pixels the same shade.
 * @param frames pictures of the same size
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
			// The next frame is drawn over this frame.
			dispose: 1,
		});
		shown = index;
	}
	gif.finish();
	return gif.bytes();
}

/**
 * Returns a function that finds the nearest palette entry for the pixel at a byte offset. It remembers the entry of
 * each colour.
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
