import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser, type BrowserContext } from 'playwright-core';
import { ExplainedError } from '../n8n/errors.mts';

const defaultPath = '/usr/bin/chromium';

const quietArguments = [
	// Let tests run as root, for whom Chromium's sandbox does not work. This is safe, because Chromium opens only the
	// local n8n.
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// Block all other hosts. The editor requests news and package details from other sites, on which no test may
	// depend.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/**
 * Starts Chromium without a window. It can reach only this machine.
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

/** How a page is displayed. */
export interface Appearance {
	/** Colour scheme of the system, which n8n follows. */
	theme?: 'light' | 'dark';
	/** Size of the page in pixels. */
	size?: { width: number; height: number };
	/** Number of pixels in a picture per pixel of the page. Default: 1. */
	scale?: number;
}

/**
 * Creates a browser context for n8n's editor, without animations.
 * @param cookie cookie of a signed-in user. Default: no user is signed in.
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
