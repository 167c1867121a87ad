import { expect, test } from 'vitest';
import { takePicture } from './artifacts.mts';
import { useEditorLab } from './editor-lab.mts';
import { nodeName, workflowWithNode } from './fixtures.mts';
import { runStep } from './panel.mts';

const lab = useEditorLab({ name: 'fields-to-send' });

test('a person fills in a text and a number, and the service gets both as such', async () => {
	const page = await lab.openNodeOf(workflowWithNode({ operation: 'enrich' }), nodeName);
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
