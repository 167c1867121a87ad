/** Writes docs/panels.md, which shows a picture of each operation's panel. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { repositoryFolder } from '../../test/n8n/paths.mts';
import { areaBetween, areaOf, isUpdate, takeDocumentPicture } from './document-pictures.mts';

const introduction =
	'# The panels\n\n<!-- Written by `npm run pictures`; changes made by hand are lost. -->\n\nWhat each operation asks for when it is new. _Add option_ has more.\n\n![All companies in the output panel](images/node-panel.png)\n';

/**
 * Returns the section of docs/panels.md about one panel.
 * @param title name of the operation, such as "Company: Get Many"
 * @param picture file name without `.png`
 */
export function panelSection(title: string, picture: string): string {
	return `## ${title}\n\n![Panel of ${title}](images/${picture}.png)\n`;
}

/** Takes a picture of all parameters in the open panel, in their full height. */
export async function takePanelPicture(page: Page, picture: string): Promise<void> {
	const tabs = await areaOf(page.getByTestId('tab-params'));
	const shown = page.getByTestId('node-parameters');
	const { x, width } = await areaOf(shown);
	// The last parameter is Options, or Operation if the panel has no options.
	const last = await areaOf(shown.getByText('Options').or(shown.getByText('Operation')).last());
	const lowest = (page.viewportSize()?.height ?? Infinity) - 20;
	const end = { x: x + width, y: Math.min(last.y + 130, lowest) };
	await takeDocumentPicture(page, picture, areaBetween({ x, y: tabs.y - 10 }, end));
}

/** Writes docs/panels.md during `npm run pictures`. */
export async function writePanelsPage(sections: string[]): Promise<void> {
	if (!isUpdate) return;
	const file = path.join(repositoryFolder, 'docs/panels.md');
	await writeFile(file, [introduction, ...sections].join('\n'));
}
