import { expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { useEditorLab } from './editor-lab.mts';
import { credentialFile } from './fixtures.mts';
import { closeMessages, itemsShown, visibleParameters } from './panel.mts';
import { takePicture } from './artifacts.mts';

const workflowId = 'triggerInTheEditor';
const name = 'Workspace Data Trigger';

const lab = useEditorLab({
	name: 'trigger',
	credentials: (baseUrl) => [
		credentialFile('full', 'Full access', { baseUrl, apiKey: sandboxCredentials.v2Full }),
	],
	workflows: () => [
		{
			id: workflowId,
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
		},
	],
});

test('Fetch Test Event shows records in the editor and leaves the stored state alone', async () => {
	const page = await lab.openPage();
	await openWorkflow(page, workflowId);
	await openNode(page, name);
	expect(await visibleParameters(page)).toEqual([
		'Poll Times',
		'Event',
		'Object Type',
		'Start From',
		'Options',
	]);
	lab.sandbox.clearRequests();
	await page.getByTestId('node-execute-button').filter({ hasText: 'Fetch Test Event' }).click();
	await page.getByTestId('output-panel').getByTestId('ndv-items-count').waitFor();
	await closeMessages(page);
	await takePicture(page, 'trigger', 'fetch-test-event');

	expect(Number.parseInt(await itemsShown(page), 10)).toBeGreaterThan(0);
	expect(lab.sandbox.requests.length).toBeGreaterThan(0);
	expect(lab.sandbox.requests.every(({ path }) => path === '/v2/public/records/query')).toBe(true);
	const stored = await lab.n8n.client.request<{ staticData: unknown }>(
		'GET',
		`/workflows/${workflowId}`,
	);
	expect(JSON.stringify(stored.staticData ?? null)).not.toContain('workspaceData');
	expect(stored.staticData ?? null).toBeNull();
});
