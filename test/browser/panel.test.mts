import { describe, expect, test } from 'vitest';
import { takePicture } from './artifacts.mts';
import { useEditorLab } from './editor-lab.mts';
import { noticeLabel, optionsByOutput, parametersByDataToSend } from '../expectations.mts';
import { choose, chosen, optionNames, visibleParameters } from './panel.mts';

const lab = useEditorLab({ name: 'panel' });
const size = { width: 1280, height: 900 };

describe('what was chosen decides what else is asked', () => {
	test('Output As offers the options that it uses', async () => {
		const page = await lab.openPanel(size);
		for (const [outputAs, expected] of Object.entries(optionsByOutput)) {
			await choose(page, 'outputAs', outputAs);
			await expect.poll(() => chosen(page, 'outputAs')).toBe(outputAs);
			expect(await optionNames(page), outputAs).toEqual(expected);
			await takePicture(page, 'output as', outputAs);
		}
	});

	test('an operation that may be billed says so, with a link to what is done about it', async () => {
		const page = await lab.openPanel(size);
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
		const page = await lab.openPanel(size);
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
