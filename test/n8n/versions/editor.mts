import type { Page } from 'playwright-core';
import { launchChromium } from '../../browser/chromium.mts';
import { watchConsole } from '../../browser/console-watch.mts';

/** The editor of one n8n, in Chromium. */
export interface Editor {
	page: Page;
	/** Grows while the page is used. */
	consoleErrors: string[];
	close(): Promise<void>;
}

/**
 * Opens Chromium with a page that is signed in.
 *
 * @param url address of n8n
 * @param cookie what the signed-in client sends
 * @throws ExplainedError saying how to install Chromium when it is missing
 */
export async function openEditor(url: string, cookie: string): Promise<Editor> {
	const browser = await launchChromium();
	const context = await browser.newContext({
		baseURL: url,
		viewport: { width: 1280, height: 900 },
		locale: 'en-US',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(15_000);
	const cookies = cookie.split('; ').map((pair) => {
		const end = pair.indexOf('=');
		return { name: pair.slice(0, end), value: pair.slice(end + 1), url };
	});
	await context.addCookies(cookies);
	const page = await context.newPage();
	const consoleErrors: string[] = [];
	watchConsole(page, consoleErrors);
	return { page, consoleErrors, close: () => browser.close() };
}
