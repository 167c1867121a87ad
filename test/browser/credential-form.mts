import type { Locator, Page } from 'playwright-core';
import { goTo } from './canvas.mts';
import { chooseFrom } from './panel.mts';

/** What a person enters into the credential's form; what is left out stays as it is. */
export interface CredentialEntries {
	baseUrl?: string;
	/** Title in the list "API Version". */
	apiVersion?: string;
	apiKey?: string;
	accessToken?: string;
}

/** Opens the form of a new Workspace Data API credential by the way of the credentials page. */
export async function openNewCredential(page: Page): Promise<void> {
	await goTo(page, '/home/credentials/create');
	await page.getByTestId('new-credential-type-select').click();
	await page.keyboard.type('workspace data');
	const types = page.getByTestId('new-credential-type-select-option').filter({ visible: true });
	await types.getByText('Workspace Data API', { exact: true }).click();
	await page.getByTestId('new-credential-type-button').click();
	await credentialForm(page).waitFor();
}

/** The open form of a credential. */
export function credentialForm(page: Page): Locator {
	return page.getByTestId('credential-edit-dialog');
}

/**
 * Fills the form, saves it and waits until the form shows what n8n's test of the credential found.
 *
 * @returns all that the form then says
 */
export async function saveCredential(page: Page, entries: CredentialEntries): Promise<string> {
	const { apiVersion, ...texts } = entries;
	if (apiVersion !== undefined) {
		await chooseFrom(page, page.getByTestId('parameter-input-apiVersion'), apiVersion);
	}
	for (const [name, value] of Object.entries(texts)) {
		await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	}
	const tested = page.waitForResponse((response) => response.url().endsWith('/credentials/test'));
	await page.getByTestId('credential-save-button').click();
	const { data } = (await (await tested).json()) as { data: { status: string; message: string } };
	await waitForResult(page, data.status === 'OK', data.message);
	return await credentialForm(page).innerText();
}

/** A failure shows the test's message under "More details", which stay open once opened. */
async function waitForResult(page: Page, passed: boolean, message: string): Promise<void> {
	const form = credentialForm(page);
	const success = form.getByText('Connection tested successfully');
	const failure = form.getByText('connect with these settings');
	await (passed ? success : failure).waitFor();
	// One fades out while the other fades in.
	await (passed ? failure : success).waitFor({ state: 'hidden' });
	if (passed) return;
	const more = form.getByText('More details');
	if (await more.isVisible()) await more.click();
	// The form itself names the codes that a message may be.
	await form.getByText(message).first().waitFor();
}
