import type { Page } from 'playwright-core';

/** Errors and warnings that n8n logs even without this package: a part of the text, and a pattern for the URL. */
const knownErrors: Array<[text: string, url: RegExp]> = [
	// Chromium logs HTTP 401, because the editor requests the current user before the sign-in.
	['status of 401', /\/rest\/login$/],
	// n8n responds with HTTP 500 if it cannot load the entries of a list in the panel. The panel shows the reason.
	['status of 500', /\/rest\/dynamic-node-parameters\//],
	// The editor requests output previews of n8n's own nodes, but some nodes have none.
	['status of 404', /\/schemas\/n8n-nodes-base\./],
	// The editor requests news and package details from sites that Chromium cannot reach in tests.
	['Failed to load resource: net::', /^\w+:\/\/(?!localhost|127\.0\.0\.1)/],
	["ResponseError: Can't connect to n8n.", /SettingsCommunityNodesView|vue\.runtime/],
];

/**
 * Message of an exception that n8n 2.41 throws if a workflow is left while a panel is open. n8n sometimes catches the
 * exception and logs it.
 */
const KNOWN_EXCEPTION = 'injectNDVStore() was accessed without an active workflow document store';

/**
 * Adds problems of a page to an array: console errors, console warnings and uncaught exceptions. Ignores known problems
 * of n8n itself.
 * @param page page that has not loaded any URL yet
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
