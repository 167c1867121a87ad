/**
 * Performs the steps of the README in n8n's editor. A test fails if the editor does not show a name that the README
 * uses.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
	examplesAt,
	newWorkflowId,
	readExamples,
	webhookCredential,
	webhookHeader,
	type WorkflowFile,
} from '../n8n/imports.mts';
import { examplesFolder } from '../n8n/paths.mts';
import { postJson } from '../n8n/rest.mts';
import { sandboxCredentials } from '../sandbox/server.mts';
import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { startedText } from '../../tools/start/started-text.mts';
import { closeNode, openNode, openWorkflow } from './canvas.mts';
import { credentialForm } from './credential-form.mts';
import { follow, pathsOfDocs, stepsOfDocs } from './docs-words.mts';
import { companies, useEditorLab } from './editor-lab.mts';
import { closeMessages, itemsShown, parameter, runStep } from './panel.mts';

const examples = await readExamples(newWorkflowId);
/** Examples whose sticky notes describe how to try them with `npm start`. */
const tried = {
	update: examples['update-a-record-by-http-request'],
	mail: examples['changed-companies-by-mail'],
	webhook: examples['enrich-on-webhook'],
	spreadsheet: examples['enrich-a-spreadsheet'],
};

const lab = useEditorLab({
	name: 'docs-words',
	credentials: () => [webhookCredential],
	workflows: (url) => examplesAt(url, tried),
});

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

test("finds the credential's fields that the README names, and shows advice after a failed credential test", async () => {
	const page = await lab.openPage();
	await page.goto('/home/workflows');
	const steps = stepsOfDocs('README.md', '## Credentials', 'A developer access token');
	const at = (name: string): number => steps.findIndex((step) => step.name === name);
	for (const step of steps.slice(0, at('Base URL'))) await follow(page, step);
	const { properties } = new WorkspaceDataApi();
	const enter = async (label: string, value: string): Promise<void> => {
		const { name } = properties.find(({ displayName }) => displayName === label)!;
		await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	};
	await enter(steps[at('Base URL')].name, lab.sandbox.url);
	await enter(steps[at('API Key')].name, 'fake-wrong-key');
	for (const step of steps.slice(at('Save'))) await follow(page, step);
	await credentialForm(page).getByText('not recognized').waitFor();
	await enter('API Key', sandboxCredentials.v2Full);
	await follow(page, steps[at('Save')]);
	await credentialForm(page).getByText('Connection tested successfully').waitFor();
});

/** Performs the steps of "Your first export" in the README, and returns the rows of the exported file. */
async function exportCompanies(page: Page): Promise<string[][]> {
	for (const step of firstExport.slice(0, -1)) await follow(page, step);
	const download = page.waitForEvent('download');
	await follow(page, firstExport.at(-1)!);
	return parseCsv(await readFile(await (await download).path())) as string[][];
}

test('exports all companies into a file with the steps of "Your first export" in the README', async () => {
	const page = await openNewWorkflow();
	await follow(page, trigger);
	expect(await exportCompanies(page)).toHaveLength(companies + 1);
	for (const step of [...rows, { does: 'select' as const, name: 'Execute step' }]) {
		await follow(page, step);
	}
	expect(await itemsShown(page)).toContain(`${companies} items`);
});

test('exports all companies on a schedule with the steps of the README', async () => {
	const page = await openNewWorkflow();
	for (const step of onSchedule) await follow(page, step);
	expect(await exportCompanies(page)).toHaveLength(companies + 1);
});

test('imports the webhook example with the steps of the README, and runs its preview', async () => {
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

/** Opens an example in the editor, as `npm start` imports it. */
async function openExample({ id }: WorkflowFile): Promise<Page> {
	const page = await lab.openPage();
	await openWorkflow(page, id);
	return page;
}

const execute = (page: Page) => page.getByTestId('execute-workflow-button').last().click();

test('updates a company with the example "update a record by HTTP request"', async () => {
	const page = await openExample(tried.update);
	await execute(page);
	const first = () => [...lab.sandbox.records('company')][0];
	await expect.poll(first).toMatchObject({ name: 'New name', revision: 2 });
});

test('exports companies changed since the date in the sticky note of "changed companies by mail"', async () => {
	const page = await openExample(tried.mail);
	const [, since = ''] = /_Changed After_ to `([^`]+)`/.exec(JSON.stringify(tried.mail)) ?? [];
	await openNode(page, 'Get changed companies');
	await parameter(page, 'changedAfter').locator('.cm-content').click();
	await page.keyboard.press('Control+A');
	await page.keyboard.type(since);
	await runStep(page);
	expect(await itemsShown(page)).toContain('1 item');
	await page
		.getByText(/^companies \d{4}-\d\d-\d\d-0001\.csv$/)
		.first()
		.waitFor();
	await closeNode(page);
});

test('returns an enriched company for the curl command that npm start prints', async () => {
	await lab.client.activate(tried.webhook.id);
	const printed = startedText({ ...lab.n8n.server }, lab.sandbox.url);
	const curl = /curl (\S+) -H '(.+?): (.+?)' -H '(.+?): (.+?)' -d '(.+?)'/.exec(printed)!;
	const [, address, ...headers] = curl;
	const body = headers.pop();
	const pairs = [headers.slice(0, 2), headers.slice(2)] as Array<[string, string]>;
	const answer = await fetch(address, { method: 'POST', headers: pairs, body });
	expect(await answer.json()).toMatchObject({ domain: 'company.example' });
});

test('shows a preview by default in the spreadsheet example, and sends no call', async () => {
	const page = await openExample(tried.spreadsheet);
	const [form] = await Promise.all([page.waitForEvent('popup'), execute(page)]);
	const csv = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('URL\na.example\n') };
	await form.locator('input[type=file]').setInputFiles(csv);
	await form.locator('button[type=submit], #submit-btn').click();
	await form.close();
	await openNode(page, 'What it would cost');
	await page.getByTestId('output-panel').getByText('wouldBeSent').first().waitFor();
	expect(lab.sandbox.requests).toEqual([]);
});

test.each(pathsOfDocs())('finds the menu path "%s" in the editor', async (name) => {
	await follow(await openNewWorkflow(), { does: 'select', name });
});
