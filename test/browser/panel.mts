import type { Locator, Page } from 'playwright-core';

/** Returns the parameters of the panel, without n8n's own settings. */
function parameterList(page: Page): Locator {
	return page.getByTestId('node-parameters').locator('.parameter-input-list-wrapper').first();
}

/**
 * Returns the labels of the visible parameters in an open panel, from top to bottom, without the credential and the
 * contents of Options. n8n draws the panel step by step, so poll until the labels are as expected.
 */
export async function visibleParameters(page: Page): Promise<string[]> {
	const parameters = parameterList(page).locator(
		':scope > [data-test-id="parameter-item"] > :is(.parameter-item, .multi-parameter)',
	);
	return await parameters.evaluateAll((elements) =>
		elements
			.filter((element) => element.checkVisibility())
			.map(
				(element) =>
					element.querySelector('label .n8n-text')?.textContent?.trim() ??
					(element.matches('[role=alert]') ? '(notice)' : '(no label)'),
			),
	);
}

/**
 * Returns the input of a parameter.
 * @param name the internal name of the parameter
 */
export function parameter(page: Page, name: string): Locator {
	return parameterList(page).getByTestId(`parameter-input-${name}`);
}

/** Returns the chosen entry of a list parameter. */
export async function chosen(page: Page, name: string): Promise<string> {
	return await parameter(page, name).locator('input').inputValue();
}

/** Clicks the opener of a list, and returns the visible entries. */
async function openList(page: Page, opener: Locator, entryId: string): Promise<Locator> {
	await opener.click();
	const entries = page.getByTestId(entryId).filter({ visible: true });
	await entries.first().waitFor();
	return entries;
}

/** Returns the titles of the entries of an open list, from top to bottom, and closes the list. */
async function titlesOf(page: Page, entries: Locator): Promise<string[]> {
	const titles = await entries.allInnerTexts();
	await page.keyboard.press('Escape');
	await entries.first().waitFor({ state: 'hidden' });
	return titles.map((text) => text.split('\n')[0].trim());
}

/** Clicks an entry of an open list by its title. */
export async function clickEntry(entries: Locator, title: string): Promise<void> {
	await entries.getByText(title, { exact: true }).click();
	await entries.first().waitFor({ state: 'hidden' });
}

/** Opens a list parameter, and returns its visible entries. */
export async function openChoices(page: Page, name: string): Promise<Locator> {
	return await openList(page, parameter(page, name).locator('input'), 'parameter-input-item');
}

/** Chooses an entry of a list parameter. */
export async function choose(page: Page, name: string, entry: string): Promise<void> {
	await clickEntry(await openChoices(page, name), entry);
}

/** Returns the titles of a list parameter's entries, from top to bottom. */
export async function choicesOf(page: Page, name: string): Promise<string[]> {
	return await titlesOf(page, await openChoices(page, name));
}

/** Opens the list under "Add option". */
async function openOptions(page: Page): Promise<Locator> {
	const opener = parameterList(page).getByTestId('collection-parameter-add');
	return await openList(page, opener, 'collection-parameter-option');
}

/** Returns the names under "Add option", from top to bottom. */
export async function optionNames(page: Page): Promise<string[]> {
	return await titlesOf(page, await openOptions(page));
}

/** Returns the entries that remain under "Add option" after a person types a word. */
export async function optionsFoundBy(page: Page, word: string): Promise<string[]> {
	const entries = await openOptions(page);
	await parameterList(page).getByTestId('collection-parameter-add').locator('input').fill(word);
	const nothing = page.getByText('No matching data').filter({ visible: true });
	const holdsWord = new RegExp(word, 'i');
	// Wait until the other entries have disappeared. A list that closed by itself would prove nothing.
	await entries.filter({ hasNotText: holdsWord }).first().waitFor({ state: 'hidden' });
	await entries.filter({ hasText: holdsWord }).or(nothing).first().waitFor();
	const found = await entries.allInnerTexts();
	await page.keyboard.press('Escape');
	// Wait until the list is closed. A list that is opened while it closes would close again.
	await entries.or(nothing).first().waitFor({ state: 'hidden' });
	return found;
}

/** Adds an option by its name, or by the part of its name before a bracket. */
export async function addOption(page: Page, name: string): Promise<void> {
	await clickEntry(await openOptions(page), name);
}

/** Clicks "Execute step", and waits for the end of the run. */
export async function runStep(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	await finishRun(page);
}

/**
 * Waits until the output panel shows data or an error, and until the editor shows its message about the end of the run.
 * Closes that message.
 */
export async function finishRun(page: Page): Promise<void> {
	const output = page.getByTestId('output-panel');
	const result = output.getByTestId('ndv-items-count').or(output.getByTestId('node-error-message'));
	await result.first().waitFor();
	await page.locator('.el-notification:visible').first().waitFor();
	await closeMessages(page);
}

/** Returns the text about the number of items in the output panel, such as "50 items". */
export async function itemsShown(page: Page): Promise<string> {
	return await page.getByTestId('output-panel').getByTestId('ndv-items-count').innerText();
}

/** Makes the output panel wider by dragging the parameters to the left. */
export async function widenOutput(page: Page): Promise<void> {
	const handle = page.getByTestId('panel-drag-button');
	const { y = 0 } = (await handle.boundingBox()) ?? {};
	await handle.hover();
	await page.mouse.down();
	await page.mouse.move(0, y, { steps: 10 });
	await page.mouse.up();
}

/** Closes the messages in the corner of the editor. */
export async function closeMessages(page: Page): Promise<void> {
	const messages = page.locator('.el-notification:visible');
	// Close each message by its id, because another message may replace it, and because it may close by itself.
	const idsOf = async () => await messages.evaluateAll((all) => all.map(({ id }) => id));
	for (let ids = await idsOf(); ids.length > 0; ids = await idsOf()) {
		const message = page.locator(`#${ids[0]}`);
		const button = message.locator('.el-notification__closeBtn');
		await button.click({ timeout: 5_000 }).catch(() => undefined);
		await message.waitFor({ state: 'hidden' });
	}
}
