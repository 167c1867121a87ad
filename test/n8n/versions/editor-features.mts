import type { Locator, Page } from 'playwright-core';
import { nodeOnCanvas, nodeType, openNode, openWorkflow } from '../../browser/canvas.mts';
import { agentWorkflow } from '../ai-workflow.mts';
import { chain, dataNode, manualTrigger, n8nNode, sameItems } from '../workflows.mts';
import type { RunnableWorkflow } from '../workflows.mts';
import { differenceOf, nodeName, type Feature, type Surroundings } from './feature.mts';

const inputName = 'Companies';
const nextName = 'Next';
const patienceMs = 10_000;

/** Twelve items, then a node of ours, then one that could use what it gives. */
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
	options: { pagination: 'page' },
});
const call = editorWorkflow('Editor call', {
	resource: 'company',
	operation: 'enrich',
	fields: { assignments: [{ id: '1', name: 'employees', type: 'number', value: '=12' }] },
});

const toolCall = agentWorkflow('Editor tool call', { resource: 'company', operation: 'enrich' });
const toolList = agentWorkflow('Editor tool list', { resource: 'company', operation: 'getAll' });

/** Undefined where it comes to be seen. */
async function shows(place: Locator, what: string): Promise<string | undefined> {
	return await place
		.first()
		.waitFor({ timeout: patienceMs })
		.then(
			() => undefined,
			() => `${what} is not shown`,
		);
}

/** Older editors ask for things of n8n's own that are not there. */
function isOurs(problem: string): boolean {
	return problem.startsWith('exception') || /workspace-?data|dynamic-node/i.test(problem);
}

/** A feature that is looked for in the editor. */
function look(
	name: string,
	workflow: RunnableWorkflow,
	attempt: (page: Page, surroundings: Surroundings) => Promise<string | undefined>,
	panel = nodeName,
): Feature {
	return {
		name,
		workflow,
		mayDiffer: true,
		attempt: async (surroundings) => {
			const { page, idOf } = surroundings;
			await openWorkflow(page, idOf(workflow));
			await openNode(page, panel);
			return await attempt(page, surroundings);
		},
	};
}

/** A feature that is looked for in the panel of our node, whose input is there by a run of the node before it. */
function lookWithInput(name: string, workflow: RunnableWorkflow, text: string): Feature {
	return look(
		name,
		workflow,
		async (page) => {
			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('output-panel').getByTestId('ndv-items-count').waitFor();
			await page.keyboard.press('Escape');
			await openNode(page, nodeName);
			return await shows(page.getByText(text), 'the hint');
		},
		inputName,
	);
}

/** What the editor makes of the node's description, in Chromium. */
export const editorFeatures: Feature[] = [
	look('Editor: subtitle with the names that people chose', list, async (page) => {
		await page.keyboard.press('Escape');
		return await shows(nodeOnCanvas(page, nodeName).getByText('Get Many: Company'), 'it');
	}),
	look('Editor: Fields to Send as rows with types', call, async (page) => {
		const rows = page.getByTestId('assignment-collection-fields').getByTestId('assignment');
		return await shows(rows.getByTestId('assignment-type-select'), 'a type');
	}),
	look('Editor: notice that a call may be billed', call, async (page) =>
		shows(page.getByText('Each call may be billed.'), 'the notice'),
	),
	look('Editor: options only where they matter', list, async (page) => {
		const parameters = page.getByTestId('node-parameters');
		// A list in older versions of n8n, a button in newer ones.
		await parameters
			.getByTestId('collection-parameter-add')
			.or(parameters.locator('.collection-parameter .param-options input'))
			.first()
			.click();
		const entries = page.getByTestId('collection-parameter-option').filter({ visible: true });
		await entries.first().waitFor();
		const names = (await entries.allInnerTexts()).map((text) => text.trim());
		const wrong = names.filter((option) => ['Start Cursor', 'Sort', 'Delimiter'].includes(option));
		return names.includes('Page') ? differenceOf(wrong, []) : `offered: ${names.join()}`;
	}),
	look('Editor: a tool has rows for a model to fill in', toolCall, async (page) =>
		shows(page.getByTestId('node-parameters').getByText('Add Field'), 'a row'),
	),
	look('Editor: a tool returns no files', toolList, async (page) => {
		await page.getByTestId('parameter-input-outputAs').locator('input').click();
		const entries = page.getByTestId('parameter-input-item').filter({ visible: true });
		await entries.first().waitFor();
		const names = (await entries.allInnerTexts()).map((text) => text.split('\n')[0].trim());
		return differenceOf(names, ['Items', 'Pages']);
	}),
	lookWithInput(
		'Editor: hint before a run that may be billed',
		call,
		'10–99 input items: each may be billed',
	),
	lookWithInput('Editor: hint to Execute Once before a list runs', list, 'Execute Once'),
	look(
		'Editor: fields of a list before it has run (schema preview)',
		list,
		async (page, { readJson }) => {
			const file = `/schemas/${nodeType}/1.0.0/company/getAll.json`;
			const schema = (await readJson(file)) as { properties?: object } | undefined;
			if (schema?.properties === undefined) return 'not served';
			return await shows(page.getByTestId('ndv-input-panel').getByText('updated_at'), 'updated_at');
		},
		nextName,
	),
	{
		name: 'Editor: no error of ours on its console',
		attempt: async ({ consoleErrors }) => await Promise.resolve(consoleErrors.find(isOurs)),
	},
];

/** What the server tells the editor about the node. */
export const descriptionFeatures: Feature[] = [
	{
		name: 'Node list: actions, search words, hints for AI builders',
		attempt: async ({ readJson }) => {
			const types = (await readJson('/types/nodes.json')) as Served[];
			const node = types.find(({ name }) => name === nodeType);
			const text = JSON.stringify(node?.properties ?? []);
			const missing = [
				['actions', text.includes('Enrich company (may be billed)')],
				['search words', (node?.codex?.alias?.length ?? 0) > 0],
				['hints for AI builders', typeof node?.builderHint?.searchHint === 'string'],
			].filter(([, isThere]) => !isThere);
			return missing.length === 0 ? undefined : `without ${missing.map(([what]) => what).join()}`;
		},
	},
];

/** The part of a node type, as the editor gets it, that is looked at. */
interface Served {
	name: string;
	properties: unknown[];
	codex?: { alias?: string[] };
	builderHint?: { searchHint?: string };
}
