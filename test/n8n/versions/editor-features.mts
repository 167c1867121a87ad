import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { nodeOnCanvas, openNode } from '../../browser/canvas.mts';
import { agentWorkflow } from '../ai-workflow.mts';
import { chain, dataNode, manualTrigger, n8nNode, sameItems } from '../workflows.mts';
import type { RunnableWorkflow } from '../workflows.mts';
import { nodeName, type Feature } from './feature.mts';

const inputName = 'Companies';
const nextName = 'Next';

/** Returns a workflow with twelve items, a node of this package, and a node after it. */
function editorWorkflow(name: string, parameters: Record<string, unknown>): RunnableWorkflow {
	return chain(name, [
		manualTrigger(),
		sameItems(inputName, { domain: 'acme.example' }, 12),
		dataNode(parameters),
		n8nNode(nextName, 'noOp', 1),
	]);
}

const list = editorWorkflow('Editor list', {
	resource: 'company',
	operation: 'getAll',
	options: { pagination: { values: { page: 1 } } },
});
const query = editorWorkflow('Editor query', { resource: 'record', operation: 'query' });
const call = editorWorkflow('Editor call', {
	resource: 'company',
	operation: 'enrich',
	fields: { assignments: [{ id: '1', name: 'employees', type: 'number', value: '=12' }] },
});

const toolCall = agentWorkflow('Editor tool call', { resource: 'company', operation: 'enrich' });
const toolList = agentWorkflow('Editor tool list', { resource: 'company', operation: 'getAll' });

/** Expects that an element becomes visible. */
async function expectVisible(place: Locator, what: string): Promise<void> {
	const isShown = await place
		.first()
		.waitFor({ timeout: 10_000 })
		.then(
			() => true,
			() => false,
		);
	expect(isShown, `${what} is not shown`).toBe(true);
}

/**
 * Checks whether a console error comes from this package. Older versions of n8n's editor also log errors about files of
 * n8n that are missing.
 */
const isFromPackage = (problem: string): boolean =>
	problem.startsWith('exception') || /workspace-?data|dynamic-node/i.test(problem);

/** Returns a feature that is checked in an open panel of the editor. */
function editorFeature(
	name: string,
	workflow: RunnableWorkflow,
	attempt: (page: Page) => Promise<void>,
	panel = nodeName,
): Feature {
	return {
		name,
		workflow,
		mayDiffer: true,
		attempt: async ({ page, idOf }) => {
			// Load the page again, because older versions of the editor ignore a change of the address alone.
			await page.goto(`/workflow/${idOf(workflow)}`);
			await page.getByTestId('canvas-node').first().waitFor();
			await openNode(page, panel);
			await attempt(page);
			// Close the panel, because n8n 2.41 may throw an exception if a workflow is left with an open panel.
			await page.keyboard.press('Escape');
		},
	};
}

/** Returns a feature that is checked in the node's panel, after the previous node has run and provides the input. */
function panelFeature(name: string, workflow: RunnableWorkflow, text: string): Feature {
	return editorFeature(
		name,
		workflow,
		async (page) => {
			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('output-panel').getByTestId('ndv-items-count').waitFor();
			await page.keyboard.press('Escape');
			await openNode(page, nodeName);
			await expectVisible(page.getByText(text), 'the hint');
		},
		inputName,
	);
}

/** Features of the node's description, checked in n8n's editor in Chromium. */
export const editorFeatures: Feature[] = [
	editorFeature('Editor: subtitle with the names that people chose', list, async (page) => {
		await page.keyboard.press('Escape');
		await expectVisible(nodeOnCanvas(page, nodeName).getByText('Get Many: Company'), 'it');
	}),
	editorFeature('Editor: Fields to Send as rows with types', call, async (page) => {
		const rows = page.getByTestId('assignment-collection-fields').getByTestId('assignment');
		await expectVisible(rows.getByTestId('assignment-type-select'), 'a type');
	}),
	editorFeature('Editor: notice that a call may be billed', call, async (page) =>
		expectVisible(page.getByText('Each call may be billed.'), 'the notice'),
	),
	editorFeature('Editor: options only where they matter', list, async (page) => {
		const parameters = page.getByTestId('node-parameters');
		// Older versions of n8n show a list here, newer versions a button.
		await parameters
			.getByTestId('collection-parameter-add')
			.or(parameters.locator('.collection-parameter .param-options input'))
			.first()
			.click();
		const entries = page.getByTestId('collection-parameter-option').filter({ visible: true });
		await entries.first().waitFor();
		const names = (await entries.allInnerTexts()).map((text) => text.trim());
		expect(names).toContain('Changed After (Since Date)');
		// The panel must not show these options here, because they apply only to files or to calls such as Enrich.
		const others = ['File Name', 'Records per File', 'Deduplicate By'];
		expect(names.filter((option) => others.includes(option))).toEqual([]);
	}),
	editorFeature('Editor: a tool has rows for a model to fill in', toolCall, async (page) =>
		expectVisible(page.getByTestId('node-parameters').getByText('Add Field'), 'a row'),
	),
	editorFeature('Editor: a tool returns no files', toolList, async (page) => {
		await page.getByTestId('parameter-input-outputAs').locator('input').click();
		const entries = page.getByTestId('parameter-input-item').filter({ visible: true });
		await entries.first().waitFor();
		const names = (await entries.allInnerTexts()).map((text) => text.split('\n')[0].trim());
		expect(names).toEqual(['Items', 'Pages']);
	}),
	panelFeature(
		'Editor: hint before a run that may be billed',
		call,
		'Each input item may be one billed call',
	),
	panelFeature(
		'Editor: hint to Execute Once before a list runs',
		query,
		'This node reads the list once',
	),
	editorFeature(
		'Editor: fields of a list before it has run (schema preview)',
		list,
		async (page) =>
			await expectVisible(
				page.getByTestId('ndv-input-panel').getByText('updated_at'),
				'updated_at',
			),
		nextName,
	),
	{
		name: 'Editor: no error of ours on its console',
		attempt: async ({ consoleErrors }) => {
			const problem = await Promise.resolve(consoleErrors.find(isFromPackage));
			if (problem !== undefined) throw new Error(problem);
		},
	},
];
