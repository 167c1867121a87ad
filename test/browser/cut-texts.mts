import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Usual size of the editor's window in pixels. */
const size = { width: 1280, height: 800 };

/**
 * Expects that no text in a part of the page is cut off, in the dark and the light theme. Leaves the page in the light
 * theme.
 */
export async function expectWholeTexts(page: Page, part: Locator): Promise<void> {
	await page.setViewportSize(size);
	for (const colorScheme of ['dark', 'light'] as const) {
		await page.emulateMedia({ colorScheme });
		await expect
			.poll(() => cutTexts(part), { message: `cut, ${colorScheme}`, timeout: 15_000 })
			.toEqual([]);
	}
}

/** Returns the texts that are cut off by an input field, or by an element that hides its overflow. */
async function cutTexts(part: Locator): Promise<string[]> {
	return await part.evaluate((root) => {
		const cut: string[] = [];
		const { ownerDocument: document } = root;
		const styleOf = (element: typeof root) => document.defaultView?.getComputedStyle(element);
		const measure = document.createElement('canvas').getContext('2d');
		for (const input of root.querySelectorAll('input:not([type=checkbox])')) {
			const style = styleOf(input);
			const text = input.value || input.placeholder;
			// Skip the mode of a resource locator, such as "By Name", because n8n itself cuts it off.
			if (input.closest('[data-test-id="rlc-mode-selector"]') !== null) continue;
			if (measure === null || style === undefined || !input.checkVisibility()) continue;
			measure.font = style.font;
			const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
			const room = input.clientWidth - padding;
			if (measure.measureText(text).width > room + 1) cut.push(text);
		}
		const showText = 4;
		const texts = document.createTreeWalker(root, showText);
		while (texts.nextNode()) {
			const node = texts.currentNode;
			const text = (node.textContent ?? '').trim();
			if (text === '' || node.parentElement?.checkVisibility() !== true) continue;
			const range = document.createRange();
			range.selectNodeContents(node);
			const shown = range.getBoundingClientRect();
			for (let box = node.parentElement; box !== null && box !== root; box = box.parentElement) {
				const { overflowX = '', overflowY = '' } = styleOf(box) ?? {};
				if (/auto|scroll/.test(overflowX + overflowY)) break;
				const { right, bottom } = box.getBoundingClientRect();
				const isWider = /hidden|clip/.test(overflowX) && shown.right > right + 1;
				const isHigher = /hidden|clip/.test(overflowY) && shown.bottom > bottom + 1;
				if (!isWider && !isHigher) continue;
				cut.push(text);
				break;
			}
		}
		return [...new Set(cut)];
	});
}
