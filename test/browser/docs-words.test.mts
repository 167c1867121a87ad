/** README's first steps and its three jobs, done by the words of the pages: what they name and the editor lacks fails it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { webhookCredential, webhookHeader } from '../n8n/imports.mts';
import { examplesFolder } from '../n8n/paths.mts';
import { postJson } from '../n8n/rest.mts';
import { closeNode, openNode } from './canvas.mts';
import { follow, pathsOfDocs, stepsOfDocs } from './docs-words.mts';
import { companies, useEditorLab } from './editor-lab.mts';
import { closeMessages, itemsShown, parameter } from './panel.mts';

const lab = useEditorLab({ name: 'docs-words', credentials: () => [webhookCredential] });

const openNewWorkflow = async (): Promise<Page> => {
	const page = await lab.openPage();
	await page.goto('/workflow/new');
	return page;
};

const [trigger, ...firstExport] = stepsOfDocs(
	'README.md',
	'### Your first export',
	'### Three jobs',
);
const rows = stepsOfDocs('README.md', '**Work on records as rows.**', '\n\n');
const onSchedule = stepsOfDocs('README.md', '**Export on a schedule.**', '\n\n');
const beforeLargeRun = stepsOfDocs('README.md', 'Before a large run,', '\n\n');
const useExample = stepsOfDocs('README.md', 'To use an [example]', '\n\n');

/** Does what the first export says, and returns the rows of the file. */
async function exportCompanies(page: Page): Promise<string[][]> {
	for (const step of firstExport.slice(0, -1)) await follow(page, step);
	const download = page.waitForEvent('download');
	await follow(page, firstExport.at(-1)!);
	return parseCsv(await readFile(await (await download).path())) as string[][];
}

test('the first export: a file with all companies', async () => {
	const page = await openNewWorkflow();
	await follow(page, trigger);
	expect(await exportCompanies(page)).toHaveLength(companies + 1);
	for (const step of [...rows, { does: 'select' as const, name: 'Execute step' }]) {
		await follow(page, step);
	}
	expect(await itemsShown(page)).toContain(`${companies} items`);
});

test('an export on a schedule: the same, with another trigger', async () => {
	const page = await openNewWorkflow();
	for (const step of onSchedule) await follow(page, step);
	expect(await exportCompanies(page)).toHaveLength(companies + 1);
});

test('the example of a webhook: imported, with a preview before it pays', async () => {
	const page = await openNewWorkflow();
	const file = path.join(examplesFolder, 'enrich-on-webhook.json');
	page.once('filechooser', (chooser) => void chooser.setFiles(file));
	for (const step of useExample) await follow(page, step);
	const ask = async (): Promise<unknown> => {
		await closeMessages(page);
		await page.getByTestId('execute-workflow-button').last().click();
		await page.getByText('Waiting for trigger event').first().waitFor();
		const address = `${lab.n8n.server.url}/webhook-test/enrich-company`;
		return await (
			await postJson(
				address,
				{ domain: 'first.example' },
				{ [webhookHeader.name]: webhookHeader.value },
			)
		).json();
	};
	await openNode(page, 'Enrich the company');
	for (const step of beforeLargeRun) await follow(page, step);
	await closeNode(page);
	expect(await ask()).toMatchObject({ wouldBeSent: 1 });
	expect(lab.sandbox.calls.enrich).toEqual([]);
	await openNode(page, 'Enrich the company');
	await parameter(page, 'previewOnly').locator('.el-switch').click();
	await closeNode(page);
	expect(await ask()).toMatchObject({ domain: 'first.example' });
	expect(lab.sandbox.calls.enrich).toHaveLength(1);
});

test.each(pathsOfDocs())('the way through menus: %s', async (name) => {
	await follow(await openNewWorkflow(), { does: 'select', name });
});
