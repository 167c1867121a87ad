/** Searches for options by the words that users would type before they know the names of this node's options. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { everyOperation } from '../samples.mts';
import { useEditorLab } from './editor-lab.mts';
import { nodeName, triggerName, workflowWithNode, workflowWithTrigger } from './fixtures.mts';
import { optionNames, optionsFoundBy, visibleParameters } from './panel.mts';

const lab = useEditorLab({ name: 'words' });

/** Words that users would type to find an option, by operation. */
const words = {
	getAll:
		'limit, columns, fields, retry, excel, since, date, proxy, timeout, format, filename, rate limit, continue, cursor, resume, filter, sort, newest',
	enrich: 'dedupe, deduplicate, budget, cache, keep, dry run, test, batch, parallel',
};
/** Words that find neither an option nor a parameter. */
const missing = ['excel', 'proxy', 'filename', 'continue', 'dedupe', 'test'];

async function openWith(parameters: Record<string, unknown>): Promise<Page> {
	const page = await lab.openNodeOf(workflowWithNode(parameters), nodeName);
	await expect.poll(() => visibleParameters(page)).toContain('Options');
	return page;
}

test('finds an option or a parameter for 21 of 27 words that users may type', async () => {
	const missed: string[] = [];
	const all = Object.values(words).flatMap((typed) => typed.split(', '));
	expect(all).toHaveLength(27);
	for (const [operation, typed] of Object.entries(words)) {
		const page = await openWith({
			operation,
			outputAs: operation === 'getAll' ? 'csv' : undefined,
		});
		const labels = (await visibleParameters(page)).join('\n').toLowerCase();
		for (const word of typed.split(', ')) {
			const isFound = labels.includes(word) || (await optionsFoundBy(page, word)).length > 0;
			if (!isFound) missed.push(word);
		}
	}
	expect(missed.toSorted()).toEqual(missing.toSorted());
});

const withOptions = everyOperation.filter(({ chosen }) => chosen.operation !== 'confirm');

test.each(withOptions)('offers at most 11 options, sorted by name, for $title', async (sample) => {
	const files = typeof sample.gives === 'object' ? [{ outputAs: 'csv', most: 11 }] : [];
	for (const { most, ...more } of [{ most: 8 }, ...files]) {
		const names = await optionNames(await openWith({ ...sample.chosen, ...more }));
		expect(names.length).toBeLessThanOrEqual(most);
		expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
	}
});

test('offers seven options in the trigger', async () => {
	const page = await lab.openNodeOf(workflowWithTrigger(), triggerName);
	await expect.poll(() => visibleParameters(page)).toContain('Options');
	expect(await optionNames(page)).toHaveLength(7);
});
