/** Every panel as it is when new: what it asks for, and its picture for docs/panels.md, which `npm run pictures` writes. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../n8n/paths.mts';
import { everyOperation } from '../samples.mts';
import { takePicture } from './artifacts.mts';
import { useEditorLab } from './editor-lab.mts';
import { triggerName, workflowWithTrigger } from './fixtures.mts';
import {
	addOption,
	choicesOf,
	choose,
	chosen,
	openChoices,
	optionNames,
	visibleParameters,
} from './panel.mts';
import { areaBetween, areaOf, mostPictureBytes, takeDocumentPicture } from './pictures.mts';

const lab = useEditorLab({ name: 'panel-pictures' });

const size = { width: 1_000, height: 860 };
const panelsFile = path.join(repositoryFolder, 'docs/panels.md');
const isUpdate = process.env.UPDATE_PICTURES === '1';

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

const sections: string[] = [];

/** Takes a picture of the parameters, as high as they are, and makes a section of docs/panels.md of it. */
async function document(page: Page, title: string, text: string): Promise<void> {
	const name =
		title === triggerName
			? 'panel-trigger'
			: `panel-${title.replace(': ', '-').replaceAll(' ', '-').toLowerCase()}`;
	const tabs = await areaOf(page.getByTestId('tab-params'));
	const parameters = await areaOf(page.getByTestId('node-parameters'));
	// What has no options ends with the operation.
	const shown = page.getByTestId('node-parameters');
	const last = await areaOf(shown.getByText('Options').or(shown.getByText('Operation')).last());
	const area = areaBetween(
		{ x: parameters.x, y: tabs.y - 10 },
		{ x: parameters.x + parameters.width, y: Math.min(last.y + 130, size.height - 20) },
	);
	expect(await takeDocumentPicture(page, name, area)).toBeLessThan(mostPictureBytes);
	const section = `## ${title}\n\n${text}.\n\n![Panel of ${title}](images/${name}.png)\n`;
	sections.push(section);
	if (!isUpdate) expect(await readFile(panelsFile, 'utf8')).toContain(section);
}

afterAll(async () => {
	if (!isUpdate) return;
	const introduction =
		'# The panels\n\n<!-- Written by `npm run pictures`; changes made by hand are lost. -->\n\nWhat each operation asks for when it is new. _Add option_ has more.\n\n![All companies in the output panel](images/node-panel.png)\n';
	await writeFile(panelsFile, [introduction, ...sections].join('\n'));
});

test('Resource offers every resource, and each offers exactly its operations', async () => {
	const page = await lab.openPanel(size);
	expect(await choicesOf(page, 'resource')).toEqual(resourceNames);
	for (const resource of resourceNames) {
		await choose(page, 'resource', resource);
		await expect.poll(() => chosen(page, 'operation')).toBe(firstOf(resource));
		const operations = panels.filter((panel) => panel.resource === resource);
		expect(await choicesOf(page, 'operation')).toEqual(operations.map((panel) => panel.operation));
	}
});

describe('every resource and operation shows the parameters that matter, and no other', () => {
	test.each(panels)('$title', async ({ title, resource, operation, parameters, options }) => {
		const page = await lab.openPanel(size);
		await choose(page, 'resource', resource);
		await expect.poll(() => chosen(page, 'operation')).toBe(firstOf(resource));
		const choices = await openChoices(page, 'operation');
		const choice = choices.filter({ has: page.getByText(operation, { exact: true }) });
		const [, description] = (await choice.innerText()).split('\n').filter(Boolean);
		await choice.click();
		await choices.first().waitFor({ state: 'hidden' });
		await expect.poll(() => visibleParameters(page)).toEqual(parameters);
		await document(page, title, description);

		if (!parameters.includes('Options')) return;
		expect(await optionNames(page)).toEqual(options);
		for (const option of options) await addOption(page, option);
		await page.setViewportSize({ width: 1280, height: 1500 });
		await takePicture(page, 'panel', resource, operation, 'all options');
	});
});

test('the trigger', async () => {
	const workflow = workflowWithTrigger();
	const page = await lab.openNodeOf(workflow, triggerName, { size });
	await expect
		.poll(() => visibleParameters(page))
		.toEqual(['Poll Times', 'Event', 'Object Type', 'Start From', 'Options']);
	await document(page, triggerName, 'Starts a workflow when records change');
});
