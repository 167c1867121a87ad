import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { takePicture } from './artifacts.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { useEditorLab } from './editor-lab.mts';
import { credentialFile, nodeName, workflowWithNode } from './fixtures.mts';
import { runStep } from './panel.mts';

const lab = useEditorLab({
	name: 'fields-to-send',
	credentials: (baseUrl) => [
		credentialFile('full', 'Full access', { baseUrl, apiKey: sandboxCredentials.v2Full }),
	],
});

const companiesName = 'Companies';

/** Puts a node before the Workspace Data node that gives so many companies. */
function withCompanies(workflow: ReturnType<typeof workflowWithNode>, count: number): object {
	const [trigger = ''] = Object.keys(workflow.connections);
	const node = {
		id: 'companies',
		name: companiesName,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		position: [112, 0],
		parameters: {
			mode: 'raw',
			jsonOutput: '{ "domain": "acme.example" }',
			duplicateItem: true,
			duplicateCount: count - 1,
			options: {},
		},
	};
	const to = (name: string): object => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		...workflow,
		nodes: [...workflow.nodes, node],
		connections: { [trigger]: to(companiesName), [companiesName]: to(nodeName) },
	};
}

/** Opens a node after the one before it has run and given that many companies. */
async function openCall(
	parameters: Record<string, unknown>,
	inputs: number,
	theme: 'light' | 'dark' = 'light',
): Promise<Page> {
	const page = await lab.openPage({ size: { width: 1280, height: 900 }, theme });
	const workflow = withCompanies(workflowWithNode('full', parameters), inputs);
	const { id } = await lab.n8n.client.request<{ id: string }>('POST', '/workflows', workflow);
	await openWorkflow(page, id);
	await openNode(page, companiesName);
	await runStep(page);
	await page.getByTestId('ndv-close-button').click();
	await openNode(page, nodeName);
	return page;
}

test('a person fills in a text and a number, and the service gets both as such', async () => {
	const page = await openCall({ operation: 'enrich' }, 1);
	const collection = page.getByTestId('assignment-collection-fields');
	const rows = collection.getByTestId('assignment');
	const addRow = async (name: string, type: string, value: string): Promise<void> => {
		const index = await rows.count();
		await collection.getByTestId('assignment-collection-drop-area').click();
		const row = rows.nth(index);
		await row.getByTestId('assignment-name').locator('input').fill(name);
		await page.keyboard.press('Tab');
		if (type !== 'String') {
			await row.getByTestId('assignment-type-select').click();
			await page
				.getByRole('menuitem', { name: type })
				.or(page.getByText(type, { exact: true }))
				.filter({ visible: true })
				.first()
				.click();
		}
		await row.getByTestId('assignment-value').locator('input, textarea').first().fill(value);
	};
	await addRow('domain', 'String', 'acme.example');
	await addRow('employees', 'Number', '250');
	await takePicture(page, 'fields to send', 'filled in');
	await runStep(page);
	expect(lab.sandbox.calls.enrich).toEqual([{ domain: 'acme.example', employees: 250 }]);
});

describe('before it runs, a node that may be billed says for how many items', () => {
	const hint = (page: Page) => page.getByTestId('output-panel').getByText('each may be billed');

	test.each(['light', 'dark'] as const)('%s', async (theme) => {
		const page = await openCall({ operation: 'enrich', dataToSend: 'autoMapInputData' }, 12, theme);
		await hint(page).waitFor();
		expect(await hint(page).innerText()).toContain('10–99 input items: each may be billed');
		await takePicture(page, 'hint before running', theme);
	});

	test('not for a single item, nor for what costs nothing', async () => {
		for (const [operation, inputs] of [
			['enrich', 1],
			['getAll', 12],
		] as const) {
			const page = await openCall({ operation }, inputs);
			await page
				.getByTestId('output-panel')
				.getByTestId('ndv-output-waiting')
				.or(page.getByTestId('output-panel').getByText('Execute this node'))
				.or(page.getByTestId('output-panel').getByText('No output data'))
				.first()
				.waitFor();
			expect(await hint(page).count()).toBe(0);
			await takePicture(page, 'no hint', operation);
		}
	});
});
