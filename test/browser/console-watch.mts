import type { Page } from 'playwright-core';

/** Errors and warnings of n8n's own that appear without our node, too: what the text holds, and what its address. */
const knownErrors: Array<[text: string, url: RegExp]> = [
	// Before the sign-in the editor asks who is signed in, and Chromium logs the 401.
	['status of 401', /\/rest\/login$/],
	// n8n answers HTTP 500 where a list of the panel cannot be loaded; the panel says why.
	['status of 500', /\/rest\/dynamic-node-parameters\//],
	// The editor asks for the previews of n8n's own nodes, of which some have none.
	['status of 404', /\/schemas\/n8n-nodes-base\./],
	// The editor asks other sites for news and package details, which cannot be reached here.
	['Failed to load resource: net::', /^\w+:\/\/(?!localhost|127\.0\.0\.1)/],
	["ResponseError: Can't connect to n8n.", /SettingsCommunityNodesView|vue\.runtime/],
];

/**
 * Of n8n 2.41, where a workflow is left while a panel of its is open: the panel asks once more for what is gone. Where n8n catches
 * it itself, it is on the console.
 */
const KNOWN_EXCEPTION = 'injectNDVStore() was accessed without an active workflow document store';

/**
 * Collects what goes wrong on a page: errors and warnings on its console and exceptions that nobody caught, without the known
 * ones of n8n itself.
 *
 * @param page a page that has not been opened yet
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
