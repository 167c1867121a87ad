import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser, type BrowserContext } from 'playwright-core';
import { ExplainedError } from '../n8n/errors.mts';

const defaultPath = '/usr/bin/chromium';

const quietArguments = [
	// The tests may run as root, for whom Chromium has no sandbox; it only ever shows the local n8n.
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// The editor asks other sites for news and package details; nothing may depend on what they answer.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

/**
 * Starts Chromium without a window. It reaches nothing but this machine.
 *
 * @throws ExplainedError saying how to install Chromium when it is missing
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

/** How a page is shown. */
export interface Appearance {
	/** What the system prefers, which n8n follows. */
	theme?: 'light' | 'dark';
	/** In pixels. */
	size?: { width: number; height: number };
	/** Pixels of a picture per pixel of the page; 1 when left out. */
	scale?: number;
}

/**
 * Makes a place for pages of an n8n's editor, without moving parts.
 *
 * @param cookie of a person who is signed in; nobody is when left out
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
