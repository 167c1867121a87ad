import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { takePicture } from './artifacts.mts';
import { useEditorLab } from './editor-lab.mts';
import { noticeLabel, optionsByOutput, parametersByDataToSend } from './expectations.mts';
import { nodeName, workflowWithNode } from './fixtures.mts';
import { choose, chosen, optionNames, parameter, visibleParameters } from './panel.mts';

const lab = useEditorLab({ name: 'panel' });

/** Opens the node as it is when new. Each time in a workflow of its own: n8n saves every change at once. */
async function openPanel(): Promise<Page> {
	const size = { width: 1280, height: 900 };
	const page = await lab.openNodeOf(workflowWithNode({}), nodeName, { size });
	await parameter(page, 'operation').waitFor();
	return page;
}

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
