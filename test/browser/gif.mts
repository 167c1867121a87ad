import { createRequire } from 'node:module';
import { PNG } from 'pngjs';

/** Red, green and blue, 0 to 255 each. */
type Colour = [number, number, number];

/** What is used of gifenc, which has no types. */
interface Gifenc {
	GIFEncoder(): {
		writeFrame(
			index: Uint8Array,
			width: number,
			height: number,
			options: {
				palette: Colour[];
				/** Milliseconds until the next frame. */
				delay: number;
				transparent: boolean;
				transparentIndex: number;
				/** 1: the next frame is drawn over this one. */
				dispose: number;
			},
		): void;
		finish(): void;
		bytes(): Uint8Array;
	};
	/** At most so many colours that stand for all of the picture's; `pixels` is RGBA. */
	quantize(pixels: Uint8Array, mostColours: number): Colour[];
	/** The number of the nearest colour for each pixel. */
	applyPalette(pixels: Uint8Array, palette: Colour[]): Uint8Array;
}

const gifenc = createRequire(import.meta.url)('gifenc') as Gifenc;

/** One picture of a moving picture. */
export interface Frame {
	png: Buffer;
	/** How long it is shown. */
	milliseconds: number;
}

/** A GIF's palette has 256 places; the last one is kept for "as before". */
const mostColours = 255;

/**
 * Makes an animated GIF that starts over at its end. What does not change from one frame to the next is not stored
 * again, so pictures of a screen become small.
 *
 * @param frames pictures of one size
 */
export function encodeGif(frames: Frame[]): Uint8Array {
	const gif = gifenc.GIFEncoder();
	let before: Buffer | undefined;
	for (const { png, milliseconds } of frames) {
		const { data, width, height } = PNG.sync.read(png);
		const palette = gifenc.quantize(data, mostColours);
		const index = gifenc.applyPalette(data, palette);
		const asBefore = palette.length;
		if (before) markUnchanged(index, asBefore, data, before);
		gif.writeFrame(index, width, height, {
			palette: [...palette, [0, 0, 0]],
			delay: milliseconds,
			transparent: before !== undefined,
			transparentIndex: asBefore,
			dispose: 1,
		});
		before = data;
	}
	gif.finish();
	return gif.bytes();
}

function markUnchanged(index: Uint8Array, mark: number, now: Buffer, before: Buffer): void {
	for (let pixel = 0; pixel < index.length; pixel += 1) {
		const place = pixel * 4;
		const isSame =
			now[place] === before[place] &&
			now[place + 1] === before[place + 1] &&
			now[place + 2] === before[place + 2];
		if (isSame) index[pixel] = mark;
	}
}
