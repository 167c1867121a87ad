/** What pages for users tell people to do in the editor, read from their own words, and done as they say it. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import { repositoryFolder } from '../n8n/paths.mts';
import { addByAction } from './canvas.mts';
import { clickEntry, finishRun } from './panel.mts';

/** What is done with a name that a page has in bold. */
export interface Step {
	does: 'add the trigger' | 'add by the action' | 'turn on' | 'set' | 'search for' | 'select';
	name: string;
	/** What is set. */
	to?: string;
}

const textOf = (page: string): string => readFileSync(path.join(repositoryFolder, page), 'utf8');

/** Ways through menus that the pages for users name, such as "⋯ → Import → From file". */
export function pathsOfDocs(): string[] {
	const pages = globSync('{README.md,docs/*.md,examples/*.md}', { cwd: repositoryFolder });
	const named = pages.flatMap((page) => [...textOf(page).matchAll(/\*\*([^*\n]+ → [^*\n]+)\*\*/g)]);
	return [...new Set(named.map(([, name = '']) => name))];
}

/**
 * The steps of a page's part, in their order.
 *
 * @param page such as `README.md`
 * @param start words with which the part begins
 * @param end words before which it ends
 * @throws Error where the page lacks these words
 */
export function stepsOfDocs(page: string, start: string, end: string): Step[] {
	const [, rest = ''] = textOf(page).split(start);
	const [part = '', after] = rest.split(end);
	if (after === undefined) throw new Error(`${page} has no "${start}" that "${end}" follows`);
	const bold = /(?:(\w+|turn on) )?\*\*([^*]+)\*\*(?: to \*\*([^*]+)\*\*)?/gi;
	return [...part.matchAll(bold)].flatMap(([, word = '', name = '', to]) => {
		const does = to === undefined ? verbs[word.toLowerCase()] : 'set';
		return does === null ? [] : [{ does: does ?? 'select', name, to }];
	});
}

/** What is done, by the word before a name; a node is added by its action. */
const verbs: Record<string, Step['does'] | null> = {
	trigger: 'add the trigger',
	action: 'add by the action',
	'turn on': 'turn on',
	for: 'search for',
	node: null,
};

/** Does a step, as a person finds what it names: by what stands on the screen. */
export async function follow(page: Page, { does, name, to = '' }: Step): Promise<void> {
	switch (does) {
		case 'add the trigger':
			await openNodeCreator(page);
			await select(page, name);
			return await page.getByTestId('node-creator').waitFor({ state: 'hidden' });
		case 'add by the action':
			await openNodeCreator(page);
			return await addByAction(page, name);
		case 'turn on':
			await parameterNamed(page, name).locator('.el-switch').click();
			return await parameterNamed(page, name).locator('.el-switch.is-checked').waitFor();
		case 'set':
			await parameterNamed(page, name).locator('input').click();
			return await clickEntry(
				page.getByTestId('parameter-input-item').filter({ visible: true }),
				to,
			);
		case 'search for':
			await page.getByRole('dialog').locator('input').first().click();
			await page.keyboard.type(name);
			return await select(page, name);
		case 'select':
			for (const one of name.split(' → ')) await select(page, one);
			if (name.startsWith('+')) await leaveMenu(page, name.split(' → ').at(-1)!);
			if (name === 'Execute step') await finishRun(page);
	}
}

/** What the editor shows as a picture. */
const pictures: Record<string, (page: Page) => Locator> = {
	'+': (page) => page.getByLabel('Add new item'),
	'⋯': (page) => page.getByTestId('workflow-menu'),
	Settings: (page) => page.getByTestId('main-sidebar-settings'),
};

async function select(page: Page, name: string): Promise<void> {
	const named = pictures[name]?.(page) ?? page.getByText(name, { exact: true });
	await named.filter({ visible: true }).first().click();
}

/** A menu of n8n's that still opens may miss a click: while its entry is there, it is chosen again. */
async function leaveMenu(page: Page, entry: string): Promise<void> {
	const item = page.getByRole('menuitem').filter({ hasText: entry, visible: true });
	await vi.waitFor(async () => {
		if ((await item.count()) > 0) await item.first().click({ timeout: 2_000 });
		await item.first().waitFor({ state: 'hidden', timeout: 2_000 });
	}, 20_000);
}

/** Pages leave out what a name has in brackets, such as "(Dry Run)". */
function parameterNamed(page: Page, name: string): Locator {
	const label = page.locator('label').getByText(new RegExp(`^\\s*${name}\\s*(\\(.*\\)\\s*)?$`));
	return page.getByTestId('node-parameters').getByTestId('parameter-item').filter({ has: label });
}

async function openNodeCreator(page: Page): Promise<void> {
	const close = page.getByTestId('ndv-close-button');
	if (await close.isVisible()) await close.click();
	const creator = page.getByTestId('node-creator');
	if (await creator.isVisible()) return;
	const first = page.getByTestId('canvas-plus-button');
	await first.or(page.getByTestId('node-creator-plus-button')).first().click();
	await creator.waitFor();
}
