import { existsSync } from 'node:fs';
import { chromium, selectors } from 'playwright-core';
import type { Browser } from 'playwright-core';
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

/** Chromium's program: `CHROMIUM_PATH`, or where Debian's package puts it. */
export function chromiumPath(): string {
	return process.env.CHROMIUM_PATH || defaultPath;
}

/**
 * Starts Chromium without a window. It reaches nothing but this machine.
 *
 * @throws ExplainedError saying how to install Chromium when it is missing
 */
export async function launchChromium(): Promise<Browser> {
	const executablePath = chromiumPath();
	if (!existsSync(executablePath)) {
		throw new ExplainedError(
			`There is no Chromium at ${executablePath}. Install it (Debian and Ubuntu: apt-get install chromium), or name its program in the environment variable CHROMIUM_PATH.`,
		);
	}
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath, headless: true, args: quietArguments });
}
