import type { Locator, Page } from 'playwright-core';

/** The parameters of the panel, without n8n's own settings. */
function parameterList(page: Page): Locator {
	return page.getByTestId('node-parameters').locator('.parameter-input-list-wrapper').first();
}

/**
 * The labels of the parameters that a person sees in an open node panel, top to bottom, without the credential
 * and without what is inside Options. n8n draws the panel piece by piece: poll until it is as expected.
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
 * A parameter's input.
 *
 * @param name the parameter's name in the workflow's JSON
 */
export function parameter(page: Page, name: string): Locator {
	return parameterList(page).getByTestId(`parameter-input-${name}`);
}

/** What a list parameter shows as chosen. */
export async function chosen(page: Page, name: string): Promise<string> {
	return await parameter(page, name).locator('input').inputValue();
}

/** Clicks what opens a list, and returns the list's visible entries. */
async function openList(page: Page, opener: Locator, entryId: string): Promise<Locator> {
	await opener.click();
	const entries = page.getByTestId(entryId).filter({ visible: true });
	await entries.first().waitFor();
	return entries;
}

/** The titles of an open list's entries, top to bottom; the list is closed again. */
async function titlesOf(page: Page, entries: Locator): Promise<string[]> {
	const titles = await entries.allInnerTexts();
	await page.keyboard.press('Escape');
	await entries.first().waitFor({ state: 'hidden' });
	return titles.map((text) => text.split('\n')[0].trim());
}

/** Clicks an entry of an open list, by its title. */
export async function clickEntry(entries: Locator, title: string): Promise<void> {
	await entries.getByText(title, { exact: true }).click();
	await entries.first().waitFor({ state: 'hidden' });
}

/** Opens a list parameter and returns its visible entries. */
export async function openChoices(page: Page, name: string): Promise<Locator> {
	return await openList(page, parameter(page, name).locator('input'), 'parameter-input-item');
}

/** Chooses an entry of a list parameter. */
export async function choose(page: Page, name: string, entry: string): Promise<void> {
	await clickEntry(await openChoices(page, name), entry);
}

/** The titles of a list parameter's entries, top to bottom. */
export async function choicesOf(page: Page, name: string): Promise<string[]> {
	return await titlesOf(page, await openChoices(page, name));
}

/** Opens the list under "Add option". */
async function openOptions(page: Page): Promise<Locator> {
	const opener = parameterList(page).getByTestId('collection-parameter-add');
	return await openList(page, opener, 'collection-parameter-option');
}

/** The names under "Add option", top to bottom. */
export async function optionNames(page: Page): Promise<string[]> {
	return await titlesOf(page, await openOptions(page));
}

/** What remains under "Add option" where a person types a word. */
export async function optionsFoundBy(page: Page, word: string): Promise<string[]> {
	const entries = await openOptions(page);
	await parameterList(page).getByTestId('collection-parameter-add').locator('input').fill(word);
	const nothing = page.getByText('No matching data').filter({ visible: true });
	const holdsWord = new RegExp(word, 'i');
	// What does not hold the word goes; a list that closed by itself would be no answer.
	await entries.filter({ hasNotText: holdsWord }).first().waitFor({ state: 'hidden' });
	await entries.filter({ hasText: holdsWord }).or(nothing).first().waitFor();
	const found = await entries.allInnerTexts();
	await page.keyboard.press('Escape');
	// Opened again while it closes, it would close after all.
	await entries.or(nothing).first().waitFor({ state: 'hidden' });
	return found;
}

/** Adds an option by its name, or by what it begins with before a bracket. */
export async function addOption(page: Page, name: string): Promise<void> {
	await clickEntry(await openOptions(page), name);
}

/** Clicks "Execute step", and waits for the end. */
export async function runStep(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	await finishRun(page);
}

/**
 * Waits until the output panel shows data or an error and the editor has told the end of a run in a passing message, and
 * closes that message.
 */
export async function finishRun(page: Page): Promise<void> {
	const output = page.getByTestId('output-panel');
	const result = output.getByTestId('ndv-items-count').or(output.getByTestId('node-error-message'));
	await result.first().waitFor();
	await page.locator('.el-notification:visible').first().waitFor();
	await closeMessages(page);
}

/** What the output panel says about how many items there are, such as "50 items". */
export async function itemsShown(page: Page): Promise<string> {
	return await page.getByTestId('output-panel').getByTestId('ndv-items-count').innerText();
}

/** Makes the output panel wider by pulling the parameters to the left, as a person can. */
export async function widenOutput(page: Page): Promise<void> {
	const handle = page.getByTestId('panel-drag-button');
	const { y = 0 } = (await handle.boundingBox()) ?? {};
	await handle.hover();
	await page.mouse.down();
	await page.mouse.move(0, y, { steps: 10 });
	await page.mouse.up();
}

/** Closes the editor's passing messages in the corner. */
export async function closeMessages(page: Page): Promise<void> {
	const messages = page.locator('.el-notification:visible');
	// Each by its id, since another may come in its place; and one may pass by itself meanwhile.
	const idsOf = async () => await messages.evaluateAll((all) => all.map(({ id }) => id));
	for (let ids = await idsOf(); ids.length > 0; ids = await idsOf()) {
		const message = page.locator(`#${ids[0]}`);
		const button = message.locator('.el-notification__closeBtn');
		await button.click({ timeout: 5_000 }).catch(() => undefined);
		await message.waitFor({ state: 'hidden' });
	}
}
