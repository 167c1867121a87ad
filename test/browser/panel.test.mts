import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import { takePicture } from './artifacts.mts';
import { openNode, openWorkflow } from './canvas.mts';
import { useEditorLab } from './editor-lab.mts';
import { everyOperation } from '../samples.mts';
import { noticeLabel, optionsByOutput, parametersByDataToSend } from './expectations.mts';
import { credentialFile, nodeName, workflowWithNode } from './fixtures.mts';
import {
	addOption,
	choicesOf,
	choose,
	chosen,
	itemsShown,
	optionNames,
	parameter,
	runStep,
	visibleParameters,
} from './panel.mts';

const lab = useEditorLab({
	name: 'panel',
	credentials: (baseUrl) => [
		credentialFile('full', 'Full access', { baseUrl, apiKey: sandboxCredentials.v2Full }),
	],
});

/** Opens the node as it is when new. Each time in a workflow of its own: n8n saves every change at once. */
async function openPanel(): Promise<Page> {
	const page = await lab.openPage({ size: { width: 1280, height: 900 } });
	const { client } = lab.n8n;
	const { id } = await client.request<{ id: string }>(
		'POST',
		'/workflows',
		workflowWithNode('full', {}),
	);
	await openWorkflow(page, id);
	await openNode(page, nodeName);
	await parameter(page, 'operation').waitFor();
	return page;
}

/** Every operation as the panel names it, in the order of its lists: the one that a resource starts with comes first. */
const panels = everyOperation
	.map(({ title, look, isFirst }) => {
		const [resource = '', operation = ''] = title.split(': ');
		return { title, resource, operation, isFirst, ...look };
	})
	.sort(
		(a, b) =>
			a.resource.localeCompare(b.resource) ||
			Number(b.isFirst ?? false) - Number(a.isFirst ?? false) ||
			a.operation.localeCompare(b.operation),
	);
const resourceNames = [...new Set(panels.map(({ resource }) => resource))];

/** The operation that a resource starts with when it is chosen. */
function firstOf(resource: string): string | undefined {
	return panels.find((panel) => panel.resource === resource && panel.isFirst)?.operation;
}

test('Resource offers every resource, and each offers exactly its operations', async () => {
	const page = await openPanel();
	expect(await choicesOf(page, 'resource')).toEqual(resourceNames);
	for (const resource of resourceNames) {
		await choose(page, 'resource', resource);
		await expect.poll(() => chosen(page, 'operation')).toBe(firstOf(resource));
		const operations = panels.filter((panel) => panel.resource === resource);
		expect(await choicesOf(page, 'operation')).toEqual(operations.map((panel) => panel.operation));
	}
});

describe('every resource and operation shows the parameters that matter, and no other', () => {
	test.each(panels)('$title', async ({ resource, operation, ...expected }) => {
		const page = await openPanel();
		await choose(page, 'resource', resource);
		await expect.poll(() => chosen(page, 'operation')).toBe(firstOf(resource));
		await choose(page, 'operation', operation);
		await expect.poll(() => visibleParameters(page)).toEqual(expected.parameters);
		await takePicture(page, 'panel', resource, operation);

		if (!expected.parameters.includes('Options')) return;
		expect(await optionNames(page)).toEqual(expected.options);
		for (const option of expected.options) await addOption(page, option);
		await page.setViewportSize({ width: 1280, height: 1500 });
		await takePicture(page, 'panel', resource, operation, 'all options');
	});
});

describe('what was chosen decides what else is asked', () => {
	test('Return All hides Limit', async () => {
		const page = await openPanel();
		await parameter(page, 'returnAll').locator('.el-switch').click();
		await expect
			.poll(() => visibleParameters(page))
			.toEqual(['Resource', 'Operation', 'Return All', 'Output As', 'Options']);
	});

	test('Output As offers the options that it uses', async () => {
		const page = await openPanel();
		for (const [outputAs, expected] of Object.entries(optionsByOutput)) {
			await choose(page, 'outputAs', outputAs);
			await expect.poll(() => chosen(page, 'outputAs')).toBe(outputAs);
			expect(await optionNames(page), outputAs).toEqual(expected);
			await takePicture(page, 'output as', outputAs);
		}
	});

	test('an operation that may be billed says so, with a link to what is done about it', async () => {
		const page = await openPanel();
		await choose(page, 'operation', 'Enrich');
		const notice = page.getByRole('alert').filter({ hasText: 'Each call may be billed' });
		await notice.waitFor();
		expect(await notice.getByRole('link').getAttribute('href')).toBe(
			'https://n8n-nodes-workspace-data.example/docs/reliability.md#nothing-is-paid-for-twice',
		);
		await choose(page, 'operation', 'Get Many');
		await notice.waitFor({ state: 'detached' });
	});

	test('Data to Send asks for the fields, the JSON or nothing', async () => {
		const page = await openPanel();
		await choose(page, 'operation', 'Enrich');
		for (const [dataToSend, expected] of Object.entries(parametersByDataToSend)) {
			await choose(page, 'dataToSend', dataToSend);
			await expect
				.poll(() => visibleParameters(page), { message: dataToSend })
				.toEqual(['Resource', 'Operation', noticeLabel, 'Data to Send', ...expected, 'Options']);
			await takePicture(page, 'data to send', dataToSend);
		}
	});
});

test('Company: Get Many puts the first 50 companies into the output panel', async () => {
	const page = await openPanel();
	await runStep(page);
	expect(await itemsShown(page)).toContain('50 items');
	const [first] = lab.sandbox.records('company');
	await page.getByTestId('output-panel').getByText(String(first.id)).first().waitFor();
	await takePicture(page, 'output', 'company get many');
	expect(lab.sandbox.requests).toMatchObject([
		{ path: '/v2/public/companies', query: { sort: 'updated_at', limit: '50' }, status: 200 },
	]);
});
