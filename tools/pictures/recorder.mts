import type { Locator, Page } from 'playwright-core';
import { encodeGif, type Frame } from './gif.mts';
import { areaOf, type Point } from './document-pictures.mts';

const pointerSteps = 3;
const stepMilliseconds = 90;
const aimMilliseconds = 500;

/** Types of the browser objects that this file uses, because the tests are compiled without the browser's types. */
interface BrowserPage {
	document: {
		getElementById(id: string): BrowserElement | null;
		createElement(name: string): BrowserElement;
		body: { append(element: BrowserElement): void };
	};
}

interface BrowserElement {
	id: string;
	innerHTML: string;
	style: { cssText: string };
}

const pointerShape =
	'<svg width="22" height="22" viewBox="0 0 22 22"><path d="M3 1l15 10-7 1.5L15 20l-3.5 1.5L8 14l-5 5z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>';

/**
 * Starts a recording of a page as an animation.
 * @param page page whose size does not change during the recording
 */
export function startRecording(page: Page) {
	const frames: Frame[] = [];
	let pointer: Point = { x: 0, y: 0 };
	let words = '';

	/** Draws a pointer and a caption into the page. A browser without a window draws no pointer. */
	const draw = async () => {
		await page.evaluate(
			({ words, x, y, pointerShape }) => {
				const { document } = globalThis as unknown as BrowserPage;
				const put = (id: string, style: string, content: string) => {
					const element = document.getElementById(id) ?? document.createElement('div');
					element.id = id;
					element.innerHTML = content;
					element.style.cssText = `position: fixed; z-index: 2147483647; pointer-events: none; ${style}`;
					document.body.append(element);
				};
				put('recorder-pointer', `left: ${x}px; top: ${y}px; line-height: 0`, pointerShape);
				put(
					'recorder-words',
					'left: 0; right: 0; bottom: 0; padding: 9px 16px; font: 600 17px sans-serif; color: #fff; background: #12213f; text-align: center',
					words,
				);
			},
			{ words, ...pointer, pointerShape },
		);
	};

	/** Adds a picture of the page to the recording, for this duration. */
	const show = async (milliseconds: number): Promise<void> => {
		await draw();
		const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
		const last = frames.at(-1);
		if (last?.png.equals(png)) last.milliseconds += milliseconds;
		else frames.push({ png, milliseconds });
	};

	/** Moves the pointer to an element in a few recorded steps. */
	const pointAt = async (target: Locator): Promise<Point> => {
		await target.first().scrollIntoViewIfNeeded();
		const { x, y, width, height } = await areaOf(target);
		const from = pointer;
		const to = { x: x + width / 2, y: y + height / 2 };
		for (let step = 1; step <= pointerSteps; step += 1) {
			const part = step / pointerSteps;
			pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
			await page.mouse.move(pointer.x, pointer.y);
			await show(step === pointerSteps ? aimMilliseconds : stepMilliseconds);
		}
		return to;
	};

	return {
		show,
		pointAt,
		/** Shows a caption at the bottom of the picture. */
		async say(next: string): Promise<void> {
			words = next;
			await draw();
		},
		async click(target: Locator): Promise<void> {
			const { x, y } = await pointAt(target);
			await page.mouse.click(x, y);
		},
		/** Types text, and records the page after each half of the text. */
		async type(text: string): Promise<void> {
			const half = Math.ceil(text.length / 2);
			for (const part of [text.slice(0, half), text.slice(half)]) {
				await page.keyboard.type(part);
				await show(stepMilliseconds * 3);
			}
		},
		/** Returns the recording as an animated GIF. */
		finish: () => encodeGif(frames),
	};
}
