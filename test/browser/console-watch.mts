import type { ConsoleMessage, Page } from 'playwright-core';

/** An error or warning of n8n's own that appears without our node, too. */
interface KnownError {
	reason: string;
	/** Whether a message is this one. */
	matches(message: { text: string; url: string }): boolean;
}

const knownErrors: KnownError[] = [
	{
		reason: 'Before the sign-in the editor asks who is signed in, and Chromium logs the 401.',
		matches: ({ text, url }) => text.includes('status of 401') && url.endsWith('/rest/login'),
	},
	{
		reason: 'n8n answers HTTP 500 where a list of the panel cannot be loaded; the panel says why.',
		matches: ({ text, url }) =>
			text.includes('status of 500') && url.includes('/rest/dynamic-node-parameters/'),
	},
	{
		reason: "The editor asks for the preview of n8n's own Edit Fields, which has none.",
		matches: ({ text, url }) =>
			text.includes('status of 404') && url.includes('/schemas/n8n-nodes-base.set/'),
	},
	{
		reason:
			'The editor asks other sites for news and package details, which cannot be reached here.',
		matches: ({ text, url }) =>
			text.startsWith('Failed to load resource: net::') && isOnAnotherMachine(url),
	},
];

/**
 * Collects what goes wrong on a page: errors and warnings on its console and exceptions that nobody caught, without the known
 * ones of n8n itself.
 *
 * @param page a page that has not been opened yet
 */
export function watchConsole(page: Page, problems: string[]): void {
	page.on('console', (message) => {
		if (!['error', 'warning'].includes(message.type())) return;
		const found = describe(message);
		if (knownErrors.some((known) => known.matches(found))) return;
		problems.push(`console ${message.type()}: ${found.text} (${found.url})`);
	});
	page.on('pageerror', (error) => problems.push(`exception: ${error.stack ?? error.message}`));
}

function describe(message: ConsoleMessage): { text: string; url: string } {
	return { text: message.text(), url: message.location().url };
}

function isOnAnotherMachine(url: string): boolean {
	return URL.canParse(url) && !['localhost', '127.0.0.1'].includes(new URL(url).hostname);
}
