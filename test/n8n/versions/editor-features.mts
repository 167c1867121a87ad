import type { Locator, Page } from 'playwright-core';
import { agentWorkflow } from '../ai-workflow.mts';
import { chain, dataNode, manualTrigger } from '../workflows.mts';
import type { RunnableWorkflow } from '../workflows.mts';
import { differenceOf, nodeName, type Feature, type Surroundings } from './feature.mts';

const inputName = 'Companies';
const nextName = 'Next';
const nodeType = 'n8n-nodes-workspace-data.workspaceData';
const patienceMs = 10_000;

/** Twelve items, then a node of ours, then one that could use what it gives. */
function editorWorkflow(name: string, parameters: Record<string, unknown>): RunnableWorkflow {
	return chain(name, [
		manualTrigger(),
		{
			name: inputName,
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				mode: 'raw',
				jsonOutput: '{ "domain": "acme.example" }',
				duplicateItem: true,
				duplicateCount: 11,
				options: {},
			},
		},
		dataNode(parameters),
		{ name: nextName, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
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

/** Opens a stored workflow and waits for its canvas. */
async function openWorkflow(
	{ page, idOf }: Surroundings,
	workflow: RunnableWorkflow,
): Promise<void> {
	await page.goto(`/workflow/${idOf(workflow)}`);
	await nodeOnCanvas(page, nodeName).waitFor();
}

function nodeOnCanvas(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

async function openPanel(page: Page, name: string): Promise<void> {
	await nodeOnCanvas(page, name).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

/** Opens a panel whose node has input, by a run of the node before it. */
async function openWithInput(
	surroundings: Surroundings,
	workflow: RunnableWorkflow,
): Promise<void> {
	const { page } = surroundings;
	await openWorkflow(surroundings, workflow);
	await openPanel(page, inputName);
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByTestId('ndv-items-count').waitFor();
	await page.keyboard.press('Escape');
	await openPanel(page, nodeName);
}

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

/** A feature that is looked for on the editor's page. */
function look(
	name: string,
	workflow: RunnableWorkflow,
	attempt: (surroundings: Surroundings) => Promise<string | undefined>,
): Feature {
	return { name, workflow, mayDiffer: true, attempt };
}

/** What the editor makes of the node's description, in Chromium. */
export const editorFeatures: Feature[] = [
	look('Editor: subtitle with the names that people chose', list, async (surroundings) => {
		await openWorkflow(surroundings, list);
		const node = nodeOnCanvas(surroundings.page, nodeName);
		return await shows(node.getByText('Get Many: Company'), 'it');
	}),
	look('Editor: Fields to Send as rows with types', call, async (surroundings) => {
		const { page } = surroundings;
		await openWorkflow(surroundings, call);
		await openPanel(page, nodeName);
		const rows = page.getByTestId('assignment-collection-fields').getByTestId('assignment');
		return await shows(rows.getByTestId('assignment-type-select'), 'a type');
	}),
	look('Editor: notice that a call may be billed', call, async (surroundings) => {
		const { page } = surroundings;
		await openWorkflow(surroundings, call);
		await openPanel(page, nodeName);
		return await shows(page.getByText('Each call may be billed.'), 'the notice');
	}),
	look('Editor: options only where they matter', list, async (surroundings) => {
		const { page } = surroundings;
		await openWorkflow(surroundings, list);
		await openPanel(page, nodeName);
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
	look('Editor: a tool has rows for a model to fill in', toolCall, async (surroundings) => {
		const { page } = surroundings;
		await openWorkflow(surroundings, toolCall);
		await openPanel(page, nodeName);
		return await shows(page.getByTestId('node-parameters').getByText('Add Field'), 'a row');
	}),
	look('Editor: a tool returns no files', toolList, async (surroundings) => {
		const { page } = surroundings;
		await openWorkflow(surroundings, toolList);
		await openPanel(page, nodeName);
		await page.getByTestId('parameter-input-outputAs').locator('input').click();
		const entries = page.getByTestId('parameter-input-item').filter({ visible: true });
		await entries.first().waitFor();
		const names = (await entries.allInnerTexts()).map((text) => text.split('\n')[0].trim());
		return differenceOf(names, ['Items', 'Pages']);
	}),
	look('Editor: hint before a run that may be billed', call, async (surroundings) => {
		await openWithInput(surroundings, call);
		const text = '10–99 input items: each may be billed';
		return await shows(surroundings.page.getByText(text), 'the hint');
	}),
	look('Editor: hint to Execute Once before a list runs', list, async (surroundings) => {
		await openWithInput(surroundings, list);
		return await shows(surroundings.page.getByText('Execute Once'), 'the hint');
	}),
	look(
		'Editor: fields of a list before it has run (schema preview)',
		list,
		async (surroundings) => {
			const file = `/schemas/${nodeType}/1.0.0/company/getAll.json`;
			const schema = (await surroundings.readJson(file)) as { properties?: object } | undefined;
			if (schema?.properties === undefined) return 'not served';
			await openWorkflow(surroundings, list);
			await openPanel(surroundings.page, nextName);
			const input = surroundings.page.getByTestId('ndv-input-panel');
			return await shows(input.getByText('updated_at'), 'updated_at');
		},
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
