import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
	panelSection,
	takePanelPicture,
	writePanelsPage,
} from '../../tools/pictures/panels-page.mts';
import { everyOperation } from '../samples.mts';
import { agentWorkflow, toolName } from '../n8n/ai-workflow.mts';
import { shownFor } from '../unit/WorkspaceData/panel.mts';
import { takePicture } from './artifacts.mts';
import { nodeOnCanvas } from './canvas.mts';
import { expectWholeTexts } from './cut-texts.mts';
import { useEditorLab } from './editor-lab.mts';
import { nodeName, triggerName, workflowWithNode, workflowWithTrigger } from './fixtures.mts';
import {
	addOption,
	choicesOf,
	choose,
	chosen,
	openChoices,
	optionNames,
	parameter,
	runStep,
	visibleParameters,
} from './panel.mts';

const lab = useEditorLab({ name: 'panel' });

const size = { width: 1_000, height: 860 };

/** Every operation with its names in the panel, in the order of the panel's lists. */
const panels = everyOperation
	.map(({ title, chosen: values, isFirst }) => {
		const [resource = '', operation = ''] = title.split(': ');
		return { title, resource, operation, isFirst, values };
	})
	.sort((a, b) => a.resource.localeCompare(b.resource) || a.operation.localeCompare(b.operation));
const resourceNames = [...new Set(panels.map(({ resource }) => resource))];

/** Returns the operation that the panel preselects for a resource. */
function firstOf(resource: string): string | undefined {
	return panels.find((panel) => panel.resource === resource && panel.isFirst)?.operation;
}

/** Returns the labels that the panel must show for an operation. */
function labelsOf(values: Record<string, string>): string[] {
	const shown = shownFor(values).filter(({ type }) => type !== 'hidden');
	return shown.map(({ type, displayName }) => (type === 'notice' ? '(notice)' : displayName));
}

const sections: string[] = [];
/** Lists of options that a test has already checked. */
const tried = new Set<string>();

/** Collects the panel's section for docs/panels.md. During `npm run pictures`, also takes a screenshot. */
async function document(page: Page, title: string): Promise<void> {
	const name = title === triggerName ? 'trigger' : title.toLowerCase().replaceAll(/:? /g, '-');
	const picture = `panel-${name}`;
	await takePanelPicture(page, picture);
	sections.push(panelSection(title, picture));
}

// Unit tests check which parameters and options belong to an operation. These tests check that the editor shows them.
describe('the panel of each operation', () => {
	test.each(panels)('shows the panel of $title', async ({ title, resource, operation, values }) => {
		const page = await lab.openPanel(size);
		await choose(page, 'resource', resource);
		await expect.poll(() => chosen(page, 'operation')).toBe(firstOf(resource));
		const choices = await openChoices(page, 'operation');
		const choice = choices.filter({ has: page.getByText(operation, { exact: true }) });
		await choice.click();
		await choices.first().waitFor({ state: 'hidden' });
		await expect.poll(() => visibleParameters(page)).toEqual(labelsOf(values));
		await document(page, title);

		if (!labelsOf(values).includes('Options')) return;
		const options = await optionNames(page);
		// Test each list of options only once, because several operations have the same options.
		if (tried.has(options.join())) return;
		tried.add(options.join());
		for (const option of options) await addOption(page, option);
		await expectWholeTexts(page, page.getByTestId('node-parameters'));
		await page.setViewportSize({ width: 1280, height: 1500 });
		await takePicture(page, 'panel', resource, operation, 'all options');
	});
});

test('returns only the nested field address.city if the user selects it in Fields (Columns)', async () => {
	const page = await lab.openPanel(size);
	await addOption(page, 'Fields (Columns): Names or IDs');
	// Click the select element, because a list with several choices has two overlapping inputs.
	await parameter(page, 'fields').locator('.el-select').click();
	await page.getByText('address.city', { exact: true }).filter({ visible: true }).click();
	lab.sandbox.clearRequests();
	await runStep(page);
	await takePicture(page, 'panel', 'a column inside an object');
	const [{ address }] = lab.sandbox.records('company');
	const { city } = address as Record<string, string>;
	const output = page.getByTestId('output-panel');
	await output.getByText(city).first().waitFor();
	expect(await output.innerText()).not.toContain('domain');
});

test('shows the parameters of the trigger', async () => {
	const workflow = workflowWithTrigger();
	const page = await lab.openNodeOf(workflow, triggerName, { size });
	await expect
		.poll(() => visibleParameters(page))
		.toEqual(['Poll Times', 'Trigger On', 'Object Type', 'Start From', 'Options']);
	await document(page, triggerName);
	await page.getByTestId('node-execute-button').click();
	const samples = 'returns a few existing records as samples, regardless of Start From.';
	await page.getByTestId('output-panel').getByText(samples).waitFor();
	for (const option of await optionNames(page)) await addOption(page, option);
	await expectWholeTexts(page, page.getByTestId('node-parameters'));
	await page.getByTestId('ndv-close-button').click();
	const node = nodeOnCanvas(page, triggerName);
	await expect.poll(() => node.innerText()).toContain('Company: created or updated');
});

test.each([
	['Query', { resource: 'record', operation: 'query' }, 'support_ticket', 'Query: Support Ticket'],
	['Get Changes', { resource: 'sync', operation: 'getChanges' }, 'order', 'Get Changes: Order'],
])('shows the object type of %s on the canvas', async (_name, chosenOperation, value, subtitle) => {
	const objectType = { __rl: true, mode: 'name', value };
	const workflow = workflowWithNode({ ...chosenOperation, objectType });
	const page = await lab.openNodeOf(workflow, nodeName, { size });
	await page.getByTestId('ndv-close-button').click();
	await expect.poll(() => nodeOnCanvas(page, nodeName).innerText()).toContain(subtitle);
	await takePicture(page, 'canvas', subtitle);
});

test('preselects the mode By Name and no object type in a new Query node', async () => {
	const page = await lab.openPanel(size);
	await choose(page, 'resource', 'Record');
	const objectType = page.getByTestId('resource-locator-objectType');
	await expect
		.poll(() =>
			objectType
				.locator('input')
				.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value)),
		)
		.toEqual(['By Name', '']);
});

test('offers neither Sync nor files nor Limit Calls if the node is a tool of an AI Agent', async () => {
	const workflow = agentWorkflow('An agent', { operation: 'enrich' });
	const page = await lab.openNodeOf(workflow, toolName, { size });
	// n8n itself adds the choice Custom API Call to every node with a credential that HTTP Request can use.
	expect(await choicesOf(page, 'resource')).toEqual([
		...resourceNames.filter((name) => name !== 'Sync'),
		'Custom API Call',
	]);
	const parameters = page.getByTestId('node-parameters');
	expect(await parameters.innerText()).not.toContain('Limit Calls');
	expect((await optionNames(page)).join()).not.toContain('Limit Calls');
	await expectWholeTexts(page, parameters);
	await choose(page, 'operation', 'Get Many');
	expect(await choicesOf(page, 'outputAs')).toEqual(['Items', 'Pages']);
});

test('finds a section for every panel in docs/panels.md', async () => {
	await writePanelsPage(sections);
	const text = await readFile('docs/panels.md', 'utf8');
	expect(sections.filter((section) => !text.includes(section))).toEqual([]);
});
