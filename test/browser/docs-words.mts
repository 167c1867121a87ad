/** Reads the steps that a page for users describes, and performs them in n8n's editor. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import { repositoryFolder } from '../n8n/paths.mts';
import { addByAction } from './canvas.mts';
import { clickEntry, finishRun } from './panel.mts';

/** One step of a page for users: an action, and the name in bold to which it applies. */
export interface Step {
	does: 'add the trigger' | 'add by the action' | 'turn on' | 'set' | 'search for' | 'select';
	name: string;
	/** Value to which the step sets a parameter. */
	to?: string;
}

const textOf = (page: string): string => readFileSync(path.join(repositoryFolder, page), 'utf8');

/** Returns all menu paths in pages for users, such as "⋯ → Import → From file". */
export function pathsOfDocs(): string[] {
	const pages = globSync('{README.md,docs/*.md,examples/*.md}', { cwd: repositoryFolder });
	const named = pages.flatMap((page) => [...textOf(page).matchAll(/\*\*([^*\n]+ → [^*\n]+)\*\*/g)]);
	return [...new Set(named.map(([, name = '']) => name))];
}

/**
 * Returns the steps in a part of a page, in the order of the page.
 * @param page path of the page, such as `README.md`
 * @param start first words of the part
 * @param end first words after the part
 * @throws Error if the page does not contain these words
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

/**
 * Maps the word before a bold name to the action of a step. The name after "node" is skipped (null), because the next
 * step adds this node by its action.
 */
const verbs: Record<string, Step['does'] | null> = {
	trigger: 'add the trigger',
	action: 'add by the action',
	'turn on': 'turn on',
	for: 'search for',
	node: null,
};

/** Performs a step as a person does, and finds elements by their text on the screen. */
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

/** Buttons that the editor shows as icons, by their names in pages for users. */
const pictures: Record<string, (page: Page) => Locator> = {
	'+': (page) => page.getByLabel('Add new item'),
	'⋯': (page) => page.getByTestId('workflow-menu'),
	Settings: (page) => page.getByTestId('main-sidebar-settings'),
};

async function select(page: Page, name: string): Promise<void> {
	const named = pictures[name]?.(page) ?? page.getByText(name, { exact: true });
	await named.filter({ visible: true }).first().click();
}

/** Clicks a menu entry until the menu is closed, because a menu of n8n that is still opening can ignore a click. */
async function leaveMenu(page: Page, entry: string): Promise<void> {
	const item = page.getByRole('menuitem').filter({ hasText: entry, visible: true });
	await vi.waitFor(async () => {
		if ((await item.count()) > 0) await item.first().click({ timeout: 2_000 });
		await item.first().waitFor({ state: 'hidden', timeout: 2_000 });
	}, 20_000);
}

/**
 * Returns the parameter with this label. The part of the label in brackets, such as "(Dry Run)", can be missing in
 * `name`, because pages for users leave it out.
 */
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
