import { expect, test } from 'vitest';
import { goTo } from '../../test/browser/canvas.mts';
import { useEditorLab } from '../../test/browser/editor-lab.mts';
import { closeMessages, itemsShown, parameter, widenOutput } from '../../test/browser/panel.mts';
import { keepDocumentPicture } from './document-pictures.mts';
import { startRecording } from './recorder.mts';

const lab = useEditorLab({ name: 'moving-picture' });

test('records first-steps.gif, in which a user adds the node and exports companies into a CSV file', async () => {
	const page = await lab.openPage({ size: { width: 1160, height: 660 } });
	const recorder = startRecording(page);
	const output = page.getByTestId('output-panel');
	const run = async () => {
		await recorder.click(page.getByTestId('node-execute-button'));
		await page.locator('.el-notification:visible').first().waitFor();
		await closeMessages(page);
	};

	await goTo(page, '/workflow/new');
	const add = page.getByTestId('canvas-plus-button').first();
	await add.waitFor();
	await recorder.say('Add the node');
	await recorder.show(800);
	await recorder.click(add);
	await page.getByTestId('node-creator').waitFor();
	await page.getByTestId('node-creator-search-bar').focus();
	await recorder.type('workspace data');
	const entry = page.getByTestId('item-iterator-item').getByText('Workspace Data', { exact: true });
	await recorder.click(entry);

	await recorder.say('Choose Get many companies');
	const actions = page.getByTestId('node-creator-category-item').filter({ hasText: /^Actions/ });
	const action = page.getByTestId('node-creator-item-name').getByText('Get many companies');
	await actions.waitFor();
	if (!(await action.isVisible())) await recorder.click(actions);
	await recorder.click(action);
	await page.getByTestId('node-parameters').waitFor();
	await widenOutput(page);
	await recorder.show(1_200);

	await recorder.say('Run it: one row per company');
	await run();
	expect(await itemsShown(page)).toContain('50 items');
	await recorder.show(2_000);

	await recorder.say('All of them, as a CSV file');
	await recorder.click(parameter(page, 'returnAll').locator('.el-switch'));
	await recorder.click(parameter(page, 'outputAs').locator('input'));
	const choices = page.getByTestId('parameter-input-item').filter({ visible: true });
	await choices.first().waitFor();
	await recorder.click(choices.filter({ hasText: 'CSV' }));
	await choices.first().waitFor({ state: 'hidden' });
	await recorder.show(500);
	await run();
	await output.getByText('.csv').first().waitFor();
	await recorder.show(1_500);
	await recorder.pointAt(output.getByText('Download'));
	await recorder.show(2_500);

	await keepDocumentPicture('first-steps.gif', recorder.finish());
});
