import type { Locator } from 'playwright-core';

/** What is used of the browser's own functions; the tests are compiled without its types. */
interface BrowserWindow {
	Image: new () => { src: string; width: number; height: number; decode(): Promise<void> };
	document: { createElement(name: 'canvas'): Canvas };
}

interface Canvas {
	width: number;
	height: number;
	getContext(kind: '2d'): {
		drawImage(image: object, x: number, y: number): void;
		getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
	};
}

/**
 * How much of an icon differs from what is behind it by a contrast of at least 3 to 1, which is what the web's
 * accessibility guidelines ask of graphics. Measured on the pixels as they are drawn; the colour of the upper left
 * corner counts as the background.
 *
 * @param icon an image that can be seen
 * @returns part of the pixels, 0 to 1
 */
export async function iconStandsOut(icon: Locator): Promise<number> {
	const picture = await icon.screenshot();
	const page = icon.page();
	return await page.evaluate(async (base64) => {
		const { Image, document } = globalThis as unknown as BrowserWindow;
		const image = new Image();
		image.src = `data:image/png;base64,${base64}`;
		await image.decode();
		const canvas = document.createElement('canvas');
		canvas.width = image.width;
		canvas.height = image.height;
		const context = canvas.getContext('2d');
		context.drawImage(image, 0, 0);
		const { data } = context.getImageData(0, 0, image.width, image.height);

		const linear = (value: number) =>
			value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4;
		const luminances: number[] = [];
		for (let index = 0; index < data.length; index += 4) {
			const [red, green, blue] = data.slice(index, index + 3);
			luminances.push(0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue));
		}
		const [background] = luminances;
		const seen = luminances.filter((luminance) => {
			const [darker, lighter] = [luminance, background].sort((one, other) => one - other);
			return (lighter + 0.05) / (darker + 0.05) >= 3;
		});
		return seen.length / luminances.length;
	}, picture.toString('base64'));
}
