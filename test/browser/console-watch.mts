import type { Page } from 'playwright-core';

/** Errors and warnings that n8n logs without our node, too: a part of the text, and a pattern of the address. */
const knownErrors: Array<[text: string, url: RegExp]> = [
	// Before the sign-in, the editor requests the current user, and Chromium logs the 401.
	['status of 401', /\/rest\/login$/],
	// n8n responds with HTTP 500 if it cannot load a list of the panel. The panel shows the reason.
	['status of 500', /\/rest\/dynamic-node-parameters\//],
	// The editor requests previews of n8n's own nodes, and some nodes have none.
	['status of 404', /\/schemas\/n8n-nodes-base\./],
	// The editor requests news and package details from sites that cannot be reached here.
	['Failed to load resource: net::', /^\w+:\/\/(?!localhost|127\.0\.0\.1)/],
	["ResponseError: Can't connect to n8n.", /SettingsCommunityNodesView|vue\.runtime/],
];

/**
 * Exception of n8n 2.41 after a workflow is left while one of its panels is open: the panel requests removed data. If
 * n8n catches the exception, it logs it on the console.
 */
const KNOWN_EXCEPTION = 'injectNDVStore() was accessed without an active workflow document store';

/**
 * Collects the problems of a page: errors and warnings on its console, and uncaught exceptions, without n8n's known
 * ones.
 * @param page a page that was not opened yet
 */
export function watchConsole(page: Page, problems: string[]): void {
	page.on('console', (message) => {
		if (!['error', 'warning'].includes(message.type())) return;
		const text = message.text();
		const { url } = message.location();
		if (text.includes(KNOWN_EXCEPTION)) return;
		if (knownErrors.some((known) => text.includes(known[0]) && known[1].test(url))) return;
		problems.push(`console ${message.type()}: ${text} (${url})`);
	});
	page.on('pageerror', ({ message, stack = message }) => {
		if (!message.startsWith(KNOWN_EXCEPTION)) problems.push(`exception: ${stack}`);
	});
}
