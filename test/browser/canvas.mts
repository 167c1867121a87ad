import type { Locator, Page } from 'playwright-core';

/** Type name of the node under test, as n8n knows it. */
export const nodeType = 'n8n-nodes-workspace-data.workspaceData';

/**
 * Opens a stored workflow and waits for its canvas.
 *
 * @param page a signed-in page
 * @param workflowId id of the workflow
 */
export async function openWorkflow(page: Page, workflowId: string): Promise<void> {
	await page.goto(`/workflow/${workflowId}`);
	await page.getByTestId('canvas-node').first().waitFor();
}

/**
 * A node on the canvas.
 *
 * @param page a page that shows a workflow
 * @param name the node's name
 */
export function nodeOnCanvas(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/**
 * Opens a node's panel.
 *
 * @param page a page that shows a workflow
 * @param name the node's name
 */
export async function openNode(page: Page, name: string): Promise<void> {
	await nodeOnCanvas(page, name).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

/** Starts a new workflow and opens the list of nodes to add. */
export async function openNodeCreator(page: Page): Promise<void> {
	await page.goto('/workflow/new');
	await page.getByTestId('canvas-plus-button').first().click();
	await page.getByTestId('node-creator').waitFor();
}

/**
 * Searches the list of nodes.
 *
 * @param page a page with the list open
 * @param words what a person types
 * @returns the nodes' entries, best first
 */
export async function searchNodes(page: Page, words: string): Promise<Locator> {
	const search = page.getByTestId('node-creator-search-bar');
	await search.fill('');
	await search.fill(words);
	const entries = page.getByTestId('item-iterator-item');
	await entries.first().waitFor();
	return entries;
}

/**
 * Adds the node to the workflow by one of its actions, and opens its panel.
 *
 * @param page a page with the list of nodes open
 * @param action such as "Get many companies"
 */
export async function addByAction(page: Page, action: string): Promise<void> {
	const entries = await searchNodes(page, 'Workspace Data');
	await entries.getByText('Workspace Data', { exact: true }).click();
	const actions = page.getByTestId('node-creator-category-item').filter({ hasText: /^Actions/ });
	const entry = page.getByTestId('node-creator-item-name').getByText(action, { exact: true });
	await actions.waitFor();
	// While the workflow has no trigger, n8n unfolds the triggers only.
	if (!(await entry.isVisible())) await actions.click();
	await entry.click();
	await page.getByTestId('node-parameters').waitFor();
}
