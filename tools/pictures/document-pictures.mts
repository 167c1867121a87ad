import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repositoryFolder } from '../../test/n8n/paths.mts';

/** Whether `npm run pictures` runs. */
export const isUpdate = process.env.UPDATE_PICTURES === '1';

/** Position on a page in pixels. */
export interface Point {
	x: number;
	y: number;
}

/** Rectangle on a page in pixels. */
export interface Area extends Point {
	width: number;
	height: number;
}

/** Stores a picture for the README or docs. */
export async function keepDocumentPicture(name: string, content: Uint8Array): Promise<void> {
	await writeFile(path.join(repositoryFolder, 'docs/images', name), content);
}

/**
 * Takes a picture for the README or docs during `npm run pictures`. Does nothing in other test runs, which must not
 * change files of the repository.
 */
export async function takeDocumentPicture(page: Page, name: string, area: Area): Promise<void> {
	if (!isUpdate) return;
	// Move the pointer away, so that the picture shows no hover effect and no tooltip.
	await page.mouse.move(area.x + area.width / 2, 1);
	const png = await page.screenshot({ clip: area, animations: 'disabled', caret: 'hide' });
	await keepDocumentPicture(`${name}.png`, png);
}

/** Returns the rectangle of an element on its page. Throws if the element is not visible. */
export async function areaOf(target: Locator): Promise<Area> {
	const area = await target.first().boundingBox();
	if (!area) throw new Error(`${target} cannot be seen`);
	return area;
}

/** Returns the rectangle between two opposite corners. */
export function areaBetween(from: Point, to: Point): Area {
	return { ...from, width: to.x - from.x, height: to.y - from.y };
}

/**
 * Returns the smallest rectangle that contains all elements, enlarged by a margin.
 * @param margin margin of each side in pixels
 */
export async function areaAround(
	targets: Locator,
	margin: { top: number; right: number; bottom: number; left: number },
): Promise<Area> {
	const areas = await Promise.all((await targets.all()).map((target) => areaOf(target)));
	return areaBetween(
		{
			x: Math.min(...areas.map(({ x }) => x)) - margin.left,
			y: Math.min(...areas.map(({ y }) => y)) - margin.top,
		},
		{
			x: Math.max(...areas.map(({ x, width }) => x + width)) + margin.right,
			y: Math.max(...areas.map(({ y, height }) => y + height)) + margin.bottom,
		},
	);
}
