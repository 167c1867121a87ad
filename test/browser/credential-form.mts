import type { Locator, Page } from 'playwright-core';
import { goTo } from './canvas.mts';

/** Opens the form for a new Workspace Data API credential. */
export async function openNewCredential(page: Page): Promise<void> {
	await goTo(page, '/home/credentials/create');
	await page.getByTestId('new-credential-type-select').click();
	await page.keyboard.type('workspace data');
	const types = page.getByTestId('new-credential-type-select-option').filter({ visible: true });
	await types.getByText('Workspace Data API', { exact: true }).click();
	await page.getByTestId('new-credential-type-button').click();
	await credentialForm(page).waitFor();
}

/** Returns the open form of a credential in n8n's editor. */
export function credentialForm(page: Page): Locator {
	return page.getByTestId('credential-edit-dialog');
}

/** Fills in the open credential form, saves the credential, and waits until the credential test has passed. */
export async function saveCredential(page: Page, fields: Record<string, string>): Promise<void> {
	for (const [name, value] of Object.entries(fields)) {
		await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	}
	await page.getByTestId('credential-save-button').click();
	await credentialForm(page).getByText('Connection tested successfully').waitFor();
}
