import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { artifactsFolder as artifactsOfAll } from '../n8n/artifacts.mts';

/** Folder for the pictures and logs of browser tests. Git ignores the folder. */
export const artifactsFolder = path.join(artifactsOfAll, 'browser');

/**
 * Takes a picture of a page or an element, for a person to look at.
 * @param nameParts words that describe the picture. They become its file name.
 */
export async function takePicture(target: Page | Locator, ...nameParts: string[]): Promise<void> {
	const name = nameParts.join(' ').toLowerCase();
	const file = `${name.replaceAll(/[^a-z0-9]+/g, '-')}.png`;
	await target.screenshot({ path: path.join(artifactsFolder, file) });
}
