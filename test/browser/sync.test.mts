import { WHERE_TO_CONFIRM } from '../../nodes/WorkspaceData/sync/properties.ts';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { takePicture } from './artifacts.mts';
import { addByAction, nodeOnCanvas, openNode, openNodeCreator } from './canvas.mts';
import { useEditorLab } from './editor-lab.mts';
import { choicesOf, choose, chosen, closeMessages, itemsShown, runStep } from './panel.mts';

const lab = useEditorLab({ name: 'sync' });

const actions = { get: 'Get changes since last run', confirm: 'Confirm changes' };

const output = (page: Page): Locator => page.getByTestId('output-panel');

/** The notices among the parameters, as they read on the screen. */
async function notices(page: Page): Promise<string[]> {
	return await page.getByTestId('node-parameters').getByRole('alert').allInnerTexts();
}

/** Runs the whole workflow from the canvas. */
async function runWorkflow(page: Page): Promise<void> {
	await page.getByTestId('execute-workflow-button').first().click();
	await page.locator('.el-notification:visible').first().waitFor();
	await closeMessages(page);
}

/** The one node on the canvas whose name begins with these words. */
async function nameOf(page: Page, words: string): Promise<string> {
	const node = page.locator(`[data-test-id="canvas-node"][data-node-name^="${words}"]`);
	return (await node.getAttribute('data-node-name')) ?? '';
}

async function closePanel(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('node-parameters').waitFor({ state: 'hidden' });
}

/** The name of the one file in the output panel. */
async function fileName(page: Page): Promise<string> {
	const shown = await output(page).innerText();
	return /\bcompany-\S*\.csv\b/.exec(shown)?.[0] ?? shown;
}

test('Sync is built from what the panel says, and its hints say what to do', async () => {
	const page = await lab.openPage({ size: { width: 1900, height: 900 } });
	await openNodeCreator(page);
	await addByAction(page, actions.get);
	expect(await choicesOf(page, 'operation')).toEqual(['Confirm Changes', 'Get Changes']);
	expect(await chosen(page, 'progress')).toBe('Advance After Confirm Changes (Safest)');
	await expect
		.poll(() => notices(page))
		.toEqual([
			`Add Confirm Changes ${WHERE_TO_CONFIRM}. Until it runs, the next run returns the same changes. Runs in the editor count too. Show me`,
		]);
	await choose(page, 'outputAs', 'CSV Files');
	await takePicture(page, 'sync', 'get changes');

	await runStep(page);
	expect(await itemsShown(page)).toContain('1 item');
	const first = await fileName(page);
	expect(first).toMatch(/^company-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-0001\.csv$/);
	const hint = output(page).getByText('Same changes as last run, because nothing confirmed them.');
	expect(await hint.count()).toBe(0);
	await runStep(page);
	await hint.waitFor();
	expect(await hint.innerText()).toContain('Add Confirm Changes where everything has arrived');
	await expect.poll(() => fileName(page)).not.toBe(first);
	await takePicture(page, 'sync', 'run twice without confirm changes');
	await closePanel(page);

	const get = await nameOf(page, 'Get changes');
	await nodeOnCanvas(page, get).getByTestId('canvas-handle-plus').click();
	await page.getByTestId('node-creator').waitFor();
	await addByAction(page, actions.confirm);
	await expect
		.poll(() => notices(page))
		.toEqual([`Put this step ${WHERE_TO_CONFIRM}. Runs in the editor confirm too. Show me`]);
	await runStep(page);
	await output(page)
		.getByText('Nothing to confirm: no Get Changes before this step has read changes')
		.waitFor();
	await output(page).getByText('Run the whole workflow, not this step alone.').waitFor();
	await takePicture(page, 'sync', 'confirm changes alone');
	await closePanel(page);
	await takePicture(page, 'sync', 'workflow');

	// As the hint says.
	await runWorkflow(page);
	await openNode(page, await nameOf(page, 'Confirm changes'));
	await output(page)
		.getByText(/^Confirmed [\d,]+ changes\. The next run returns only newer ones\.$/)
		.waitFor();
	expect(await output(page).innerText()).not.toContain('othing was confirmed');
	await takePicture(page, 'sync', 'confirmed');
	await closePanel(page);

	await runWorkflow(page);
	await openNode(page, get);
	await output(page)
		.getByText(/^No changes since \d+ \w+ 20\d\d, \d\d:\d\d \(.+\)\.$/)
		.waitFor();
	await closePanel(page);

	const [changed] = lab.sandbox.records('company');
	lab.sandbox.update('company', [String(changed?.id)]);
	await runWorkflow(page);
	await openNode(page, get);
	await output(page).getByText('JSON', { exact: true }).click();
	await expect.poll(() => output(page).innerText()).toMatch(/"records":\s*1\b/);
	expect(await output(page).innerText()).not.toContain('Same changes');
	await takePicture(page, 'sync', 'the next run');
});
