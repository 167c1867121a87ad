import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser, type BrowserContext } from 'playwright-core';
import { ExplainedError } from '../n8n/errors.mts';

const defaultPath = '/usr/bin/chromium';

const quietArguments = [
	// The tests may run as root, for which Chromium has no sandbox. Chromium shows only the local n8n.
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// The editor requests news and package details from other sites. No test may depend on them.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/**
 * Starts Chromium without a window. It can connect only to this machine.
 * @throws ExplainedError that says how to install Chromium if it is missing
 */
export async function launchChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM_PATH || defaultPath;
	if (!existsSync(executablePath)) {
		throw new ExplainedError(
			`There is no Chromium at ${executablePath}. Install it (Debian and Ubuntu: apt-get install chromium), or name its program in the environment variable CHROMIUM_PATH.`,
		);
	}
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath, headless: true, args: quietArguments });
}

/** Appearance of a page. */
export interface Appearance {
	/** Colour scheme of the system, which n8n follows. */
	theme?: 'light' | 'dark';
	/** Size in pixels. */
	size?: { width: number; height: number };
	/** Pixels of a picture per pixel of the page. 1 if it is left out. */
	scale?: number;
}

/**
 * Creates a browser context for pages of n8n's editor, without animations.
 * @param cookie cookie of a signed-in person; without it, no person is signed in
 */
export async function openContext(
	browser: Browser,
	url: string,
	cookie = '',
	{ theme = 'light', size = { width: 1280, height: 800 }, scale = 1 }: Appearance = {},
): Promise<BrowserContext> {
	const context = await browser.newContext({
		baseURL: url,
		viewport: size,
		deviceScaleFactor: scale,
		colorScheme: theme,
		locale: 'en-US',
		reducedMotion: 'reduce',
	});
	for (const pair of cookie.split('; ').filter(Boolean)) {
		const end = pair.indexOf('=');
		await context.addCookies([{ name: pair.slice(0, end), value: pair.slice(end + 1), url }]);
	}
	return context;
}
