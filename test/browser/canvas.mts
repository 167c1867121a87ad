import type { Locator, Page } from 'playwright-core';

/** Type of the Workspace Data node in n8n. */
export const nodeType = 'n8n-nodes-workspace-data.workspaceData';

/**
 * Opens a path of n8n's editor. If the editor is already loaded, changes its view as the browser's "Back" does, because
 * loading the editor takes many seconds.
 */
export async function goTo(page: Page, path: string): Promise<void> {
	// Load the page if a credential's form is open, because the form would otherwise stay open over the next view.
	const isCovered = await page.getByTestId('credential-edit-dialog').isVisible();
	if (page.url() === 'about:blank' || isCovered) {
		await page.goto(path);
		return;
	}
	await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
	await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))");
}

/** Opens a stored workflow and waits for its canvas. */
export async function openWorkflow(page: Page, workflowId: string): Promise<void> {
	await goTo(page, `/workflow/${workflowId}`);
	await page.getByTestId('canvas-node').first().waitFor();
}

/** Returns a node on the canvas. */
export function nodeOnCanvas(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** Opens a node's panel. */
export async function openNode(page: Page, name: string): Promise<void> {
	await nodeOnCanvas(page, name).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

/** Closes a node's panel. */
export async function closeNode(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
}

/** Starts a new workflow, and opens n8n's list of nodes. */
export async function openNodeCreator(page: Page): Promise<void> {
	// Load the page again, because the editor logs an error when it switches to a new workflow.
	await page.goto('/workflow/new');
	await page.getByTestId('canvas-plus-button').first().click();
	await page.getByTestId('node-creator').waitFor();
}

/**
 * Adds the Workspace Data node by choosing one of its actions in the open list of nodes. Waits until its panel is open.
 * @param action name of the action, such as "Get many companies"
 */
export async function addByAction(page: Page, action: string): Promise<void> {
	await page.getByTestId('node-creator-search-bar').fill('Workspace Data');
	const found = page.getByTestId('item-iterator-item');
	await found.getByText('Workspace Data', { exact: true }).click();
	const actions = page.getByTestId('node-creator-category-item').filter({ hasText: /^Actions/ });
	const entry = page.getByTestId('node-creator-item-name').getByText(action, { exact: true });
	await actions.waitFor();
	// The list of actions is closed if the workflow has no trigger, because n8n then shows triggers first.
	if (!(await entry.isVisible())) await actions.click();
	await entry.click();
	await page.getByTestId('node-parameters').waitFor();
}
