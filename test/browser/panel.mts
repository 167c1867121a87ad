import type { Locator, Page } from 'playwright-core';

/** Returns the list of parameters in the open panel, without the settings that n8n adds. */
function parameterList(page: Page): Locator {
	return page.getByTestId('node-parameters').locator('.parameter-input-list-wrapper').first();
}

/**
 * Returns the labels of the visible parameters in the open panel, from top to bottom. Leaves out the credential and the
 * contents of Options. n8n draws the panel step by step, so callers must poll.
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
 * Returns the input field of a parameter.
 * @param name internal name of the parameter
 */
export function parameter(page: Page, name: string): Locator {
	return parameterList(page).getByTestId(`parameter-input-${name}`);
}

/** Returns the selected entry of a list parameter. */
export async function chosen(page: Page, name: string): Promise<string> {
	return await parameter(page, name).locator('input').inputValue();
}

/** Opens a list with a click, and returns its visible entries. */
async function openList(page: Page, opener: Locator, entryId: string): Promise<Locator> {
	await opener.click();
	const entries = page.getByTestId(entryId).filter({ visible: true });
	await entries.first().waitFor();
	return entries;
}

/** Returns the titles of an open list's entries, from top to bottom. Closes the list. */
async function titlesOf(page: Page, entries: Locator): Promise<string[]> {
	const titles = await entries.allInnerTexts();
	await page.keyboard.press('Escape');
	await entries.first().waitFor({ state: 'hidden' });
	return titles.map((text) => text.split('\n')[0].trim());
}

/** Selects an entry of an open list by its title. */
export async function clickEntry(entries: Locator, title: string): Promise<void> {
	await entries.getByText(title, { exact: true }).click();
	await entries.first().waitFor({ state: 'hidden' });
}

/** Opens the list of a parameter, and returns its visible entries. */
export async function openChoices(page: Page, name: string): Promise<Locator> {
	return await openList(page, parameter(page, name).locator('input'), 'parameter-input-item');
}

/** Selects an entry of a list parameter by its title. */
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

/** Returns the names of the options under "Add option", from top to bottom. */
export async function optionNames(page: Page): Promise<string[]> {
	return await titlesOf(page, await openOptions(page));
}

/** Returns the options that remain under "Add option" after a person has typed a word. */
export async function optionsFoundBy(page: Page, word: string): Promise<string[]> {
	const entries = await openOptions(page);
	await parameterList(page).getByTestId('collection-parameter-add').locator('input').fill(word);
	const nothing = page.getByText('No matching data').filter({ visible: true });
	const holdsWord = new RegExp(word, 'i');
	// Wait until n8n has filtered the list, because an unfiltered or closed list would prove nothing.
	await entries.filter({ hasNotText: holdsWord }).first().waitFor({ state: 'hidden' });
	await entries.filter({ hasText: holdsWord }).or(nothing).first().waitFor();
	const found = await entries.allInnerTexts();
	await page.keyboard.press('Escape');
	// Wait until the list is closed, because a list that is opened while it closes would close again.
	await entries.or(nothing).first().waitFor({ state: 'hidden' });
	return found;
}

/** Adds an option by its name. The part of the name in brackets can be left out. */
export async function addOption(page: Page, name: string): Promise<void> {
	await clickEntry(await openOptions(page), name);
}

/** Clicks "Execute step", and waits until the node has run. */
export async function runStep(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	await finishRun(page);
}

/**
 * Waits until the output panel shows data or an error, and until the editor shows a message about the end of the run.
 * Closes this message.
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

/** Widens the output panel by dragging the parameters to the left. */
export async function widenOutput(page: Page): Promise<void> {
	const handle = page.getByTestId('panel-drag-button');
	const { y = 0 } = (await handle.boundingBox()) ?? {};
	await handle.hover();
	await page.mouse.down();
	await page.mouse.move(0, y, { steps: 10 });
	await page.mouse.up();
}

/** Closes the messages that the editor shows in its corner. */
export async function closeMessages(page: Page): Promise<void> {
	const messages = page.locator('.el-notification:visible');
	// Find each message by its id, because it may close by itself, and another message may then take its position.
	const idsOf = async () => await messages.evaluateAll((all) => all.map(({ id }) => id));
	for (let ids = await idsOf(); ids.length > 0; ids = await idsOf()) {
		const message = page.locator(`#${ids[0]}`);
		const button = message.locator('.el-notification__closeBtn');
		await button.click({ timeout: 5_000 }).catch(() => undefined);
		await message.waitFor({ state: 'hidden' });
	}
}
