import { createRequire } from 'node:module';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { repositoryFolder } from '../n8n/paths.mts';
import { sandboxCredentials } from '../sandbox/server.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { useEditorLab } from './editor-lab.mts';
import { credentialFile, nodeName, workflowWithNode } from './fixtures.mts';
import { choose, chosen, visibleParameters } from './panel.mts';
import { areaBetween, areaOf, mostPictureBytes, takeDocumentPicture } from './pictures.mts';

const lab = useEditorLab({
	name: 'panel-pictures',
	credentials: (baseUrl) => [
		credentialFile('full', 'Full access', { baseUrl, apiKey: sandboxCredentials.v2Full }),
	],
});

const size = { width: 1_000, height: 860 };

/** One operation, by the names that people see. */
interface Operation {
	resource: string;
	operation: string;
	description: string;
}

/** Every operation of the node that was installed in n8n, in the panel's order. */
function allOperations(): Operation[] {
	const file = path.join(repositoryFolder, 'dist/nodes/WorkspaceData/WorkspaceData.node.js');
	const { WorkspaceData } = createRequire(file)(file) as { WorkspaceData: new () => INodeType };
	const { properties } = new WorkspaceData().description;
	const choices = ({ options }: INodeProperties) => options as INodePropertyOptions[];
	const [resources] = properties.filter(({ name }) => name === 'resource').map(choices);
	return resources.flatMap((resource) =>
		properties
			.filter(({ name }) => name === 'operation')
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource.value))
			.flatMap(choices)
			.map(({ name, description = '' }) => ({
				resource: resource.name,
				operation: name,
				description,
			})),
	);
}

/** Takes a picture of the parameters, as high as they are. */
async function takePanelPicture(page: Page, name: string): Promise<void> {
	const tabs = await areaOf(page.getByTestId('tab-params'));
	const parameters = await areaOf(page.getByTestId('node-parameters'));
	// What has no options ends with the operation.
	const shown = page.getByTestId('node-parameters');
	const last = await areaOf(shown.getByText('Options').or(shown.getByText('Operation')).last());
	const area = areaBetween(
		{ x: parameters.x, y: tabs.y - 10 },
		{
			x: parameters.x + parameters.width,
			y: Math.min(last.y + 130, size.height - 20),
		},
	);
	expect(await takeDocumentPicture(page, name, area)).toBeLessThan(mostPictureBytes);
}

const sections: string[] = [];

function addSection(title: string, text: string, name: string): void {
	sections.push(`## ${title}\n\n${text}\n\n![Panel of ${title}](images/${name}.png)\n`);
}

afterAll(async () => {
	if (process.env.UPDATE_PICTURES !== '1') return;
	const introduction =
		'# The panels\n\n<!-- Written by `npm run pictures`; changes made by hand are lost. -->\n\nWhat each operation asks for when it is new. _Add option_ has more.\n\n![All companies in the output panel](images/node-panel.png)\n';
	const file = path.join(repositoryFolder, 'docs/panels.md');
	await writeFile(file, [introduction, ...sections].join('\n'));
});

test('every operation of the node', async () => {
	const page = await lab.openPage({ size });
	const { client } = lab.n8n;
	const workflow = workflowWithNode('full', {});
	const { id } = await client.request<{ id: string }>('POST', '/workflows', workflow);
	await openWorkflow(page, id);
	await openNode(page, nodeName);
	for (const { resource, operation, description } of allOperations()) {
		await choose(page, 'resource', resource);
		await expect.poll(() => chosen(page, 'resource')).toBe(resource);
		await choose(page, 'operation', operation);
		await expect.poll(() => chosen(page, 'operation')).toBe(operation);
		const name = `panel-${resource}-${operation}`.toLowerCase().replaceAll(' ', '-');
		await takePanelPicture(page, name);
		addSection(`${resource}: ${operation}`, `${description}.`, name);
	}
	expect(sections.length).toBeGreaterThan(5);
});

test('the trigger', async () => {
	const page = await lab.openPage({ size });
	const name = 'Workspace Data Trigger';
	const { id } = await lab.n8n.client.request<{ id: string }>('POST', '/workflows', {
		name: 'A trigger',
		nodes: [
			{
				id: 'trigger',
				name,
				type: 'n8n-nodes-workspace-data.workspaceDataTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] } },
				credentials: { workspaceDataApi: { id: 'full', name: 'Full access' } },
			},
		],
		connections: {},
		settings: { executionOrder: 'v1' },
	});
	await openWorkflow(page, id);
	await openNode(page, name);
	await expect.poll(() => visibleParameters(page)).toContain('Start From');
	await takePanelPicture(page, 'panel-trigger');
	addSection(name, 'Starts a workflow when records change.', 'panel-trigger');
});
