import type { Locator, Page } from 'playwright-core';

/** Type name of the node under test, as n8n knows it. */
export const nodeType = 'n8n-nodes-workspace-data.workspaceData';

/**
 * Shows an address of the editor. If the editor is open already, changes its view as "Back" does, because loading it
 * again takes many seconds.
 */
export async function goTo(page: Page, path: string): Promise<void> {
	// An open form of a credential would stay open over the next view.
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

/** A node on the canvas. */
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

/** Starts a new workflow and opens the list of nodes to add. */
export async function openNodeCreator(page: Page): Promise<void> {
	// Load the page again, because the editor logs an error when it switches to a new workflow.
	await page.goto('/workflow/new');
	await page.getByTestId('canvas-plus-button').first().click();
	await page.getByTestId('node-creator').waitFor();
}

/**
 * Adds the node to the workflow by one of its actions, and opens its panel.
 *
 * @param action such as "Get many companies"
 */
export async function addByAction(page: Page, action: string): Promise<void> {
	await page.getByTestId('node-creator-search-bar').fill('Workspace Data');
	const found = page.getByTestId('item-iterator-item');
	await found.getByText('Workspace Data', { exact: true }).click();
	const actions = page.getByTestId('node-creator-category-item').filter({ hasText: /^Actions/ });
	const entry = page.getByTestId('node-creator-item-name').getByText(action, { exact: true });
	await actions.waitFor();
	// While the workflow has no trigger, n8n shows only the triggers.
	if (!(await entry.isVisible())) await actions.click();
	await entry.click();
	await page.getByTestId('node-parameters').waitFor();
}
