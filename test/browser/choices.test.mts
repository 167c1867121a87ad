import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { WorkflowFile } from '../n8n/imports.mts';
import { takePicture } from './artifacts.mts';
import { useEditorLab } from './editor-lab.mts';
import { nodeName, triggerName, workflowWithNode, workflowWithTrigger } from './fixtures.mts';
import { addOption, visibleParameters } from './panel.mts';

/** Lists come from the service, through n8n. */
const patience = { timeout: 15_000 };

const types = ['Company', 'Deal', 'Item', 'Order'];

const lab = useEditorLab({ name: 'choices' });

/** Opens one node in a workflow of its own. */
async function open(workflow: WorkflowFile, name: string): Promise<Page> {
	const page = await lab.openNodeOf(workflow, name, { size: { width: 1280, height: 1300 } });
	await expect.poll(() => visibleParameters(page), patience).toContain('Object Type');
	return page;
}

/** Opens the list of Object Type and gives its entries. */
async function openTypes(page: Page): Promise<Locator> {
	await page.getByTestId('resource-locator-objectType').getByTestId('rlc-input').click();
	return page.getByTestId('rlc-item').filter({ visible: true });
}

/** Opens the list of fields and gives its entries. */
async function openFields(page: Page): Promise<Locator> {
	const loaded = page.waitForResponse((response) =>
		response.url().endsWith('/dynamic-node-parameters/options'),
	);
	await addOption(page, 'Fields (Columns): Names or IDs');
	// The list is drawn anew when it comes, and would close.
	await loaded;
	await page.getByTestId('parameter-input-fields').locator('.el-select').click();
	const entries = page.locator('.el-select-dropdown__item').filter({ visible: true });
	await entries.filter({ hasText: 'stage' }).waitFor();
	return entries;
}

test.each([
	['Query', workflowWithNode({ resource: 'record', operation: 'query' }), nodeName],
	['the trigger', workflowWithTrigger(), triggerName],
] as const)(
	'%s offers the types and fields that the service has',
	async (where, workflow, name) => {
		const page = await open(workflow, name);
		const entries = await openTypes(page);
		await expect.poll(() => entries.allInnerTexts(), patience).toEqual(types);
		await takePicture(page, 'choices', where, 'types');
		await entries.getByText('Deal', { exact: true }).click();

		const fields = await openFields(page);
		const shown = await fields.allInnerTexts();
		expect(shown.map((text) => text.split('\n')[0])).toEqual(
			expect.arrayContaining(['id', 'title', 'stage', 'created_at']),
		);
		expect(shown.find((text) => text.startsWith('stage'))).toMatch(/text, e\.g\. /);
		await takePicture(page, 'choices', where, 'fields');
		await fields.filter({ hasText: 'stage' }).click();
		await page.keyboard.press('Escape');
		const asked = lab.sandbox.requests.map(({ body }) => body);
		expect(asked).toHaveLength(types.length + 1);
		expect(asked.at(-1)).toMatchObject({ object_type: 'deal', limit: 20 });
	},
);
