import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { takePicture } from './artifacts.mts';
import { useEditorLab } from './editor-lab.mts';
import { nodeName, workflowWithNode } from './fixtures.mts';
import { addOption, choicesOf, choose, optionNames, runStep, wordsAt } from './panel.mts';

const lab = useEditorLab({ name: 'options' });

const output = (page: Page): Locator => page.getByTestId('output-panel');

/** Runs the open node; the output panel then says this: the items as JSON, hints and errors. */
async function runAndExpect(page: Page, words: RegExp): Promise<void> {
	await runStep(page);
	const json = output(page).getByText('JSON', { exact: true });
	if (await json.isVisible()) await json.click();
	await expect.poll(() => output(page).innerText()).toMatch(words);
}

/** Opens a list of companies. */
async function openList(parameters: Record<string, unknown> = {}): Promise<Page> {
	return await lab.openNodeOf(workflowWithNode(parameters), nodeName);
}

const enrich = { operation: 'enrich', dataToSend: 'autoMapInputData' };

describe('an option does what adding it says', () => {
	test('Preview Only sends nothing, and nobody turned it on', async () => {
		const page = await lab.openAfterItems(enrich, 2);
		await addOption(page, 'Preview Only');
		await runAndExpect(page, /"wouldBeSent":\s*2\b/);
		await takePicture(page, 'options', 'preview only');
		expect(lab.sandbox.requests).toEqual([]);
	});

	test('Preview Only says that a run would send nothing, why, and what to set', async () => {
		const options = { maxCalls: 3, sendIdenticalOnce: false };
		const page = await lab.openAfterItems({ ...enrich, options }, 5);
		await addOption(page, 'Preview Only');
		await runAndExpect(
			page,
			/"wouldBeSent":\s*0,\s*"nothingIsSentBecause":\s*"'Max Calls' \(3\) would skip 2 items, and this node stops on errors\. To send 3 calls all the same, set On Error to Continue/,
		);
		await takePicture(page, 'options', 'preview only', 'nothing');
		expect(lab.sandbox.requests).toEqual([]);
	});

	test('and the run that it tells of sends nothing', async () => {
		const options = { maxCalls: 3, sendIdenticalOnce: false };
		const page = await lab.openAfterItems({ ...enrich, options }, 5);
		// n8n cannot run one node of a workflow that the editor has not saved yet.
		await addOption(page, 'Max Retries');
		await runAndExpect(page, /'Max Calls' \(3\) would skip 2 items/);
		expect(lab.sandbox.requests).toEqual([]);
	});

	test('Changed After, left empty, says so', async () => {
		const page = await openList();
		await addOption(page, 'Changed After');
		await runAndExpect(page, /The option 'Changed After' is empty/);
		expect(lab.sandbox.requests).toEqual([]);
	});
});

test('fields that no record has are named, with the nearest that exists', async () => {
	const page = await openList({ options: { fields: "={{ ['Name', 'shoe_size'] }}" } });
	await runAndExpect(page, /No record has the fields Name, shoe_size\. Names are case-sensitive\./);
	await takePicture(page, 'options', 'fields that no record has');
});

test('Excel is one choice', async () => {
	const page = await openList();
	await choose(page, 'outputAs', 'CSV Files');
	const names = await optionNames(page);
	expect(names).toContain('CSV Format');
	expect(names.filter((name) => /Delimiter|Byte Order/.test(name))).toEqual([]);
	await addOption(page, 'CSV Format');
	expect(await choicesOf(page, 'csvFormat')).toEqual([
		'Excel',
		'Excel, Comma as Decimal Sign',
		'Standard',
		'Tab-Separated',
	]);
});

test("Limit's hint is right with every order and sort", async () => {
	const page = await openList();
	const hint = 'Oldest first, unless the option Order or Pagination says otherwise';
	expect(await wordsAt(page, 'limit')).toContain(hint);
	await addOption(page, 'Order');
	await choose(page, 'order', 'Newest First');
	await addOption(page, 'Sort');
	await choose(page, 'sort', 'Created At');
	expect(await wordsAt(page, 'limit')).toContain(hint);
	// What Newest First takes away is not offered.
	expect(await optionNames(page)).not.toContain('Start Cursor');
	await takePicture(page, 'options', 'limit');
});

test("Limit's error says what a person can do", async () => {
	const page = await openList({ limit: 0 });
	await runAndExpect(
		page,
		/'Limit' must be a whole number of at least 1\s+Change 'Limit'\. It is 0 now\./,
	);
	expect(lab.sandbox.requests).toEqual([]);
});
