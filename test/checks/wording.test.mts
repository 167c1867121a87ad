import { describe, expect, test } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { literals } from './literals.mts';
import { failures, textsBesidePanels, textsPage, type Shown } from './texts.mts';

/** Every parameter and option, without the unit in its name. */
const names = [new WorkspaceData(), new WorkspaceDataTrigger()]
	.flatMap(({ description }) => namesIn(description.properties as Shown[]))
	.concat(namesIn(new WorkspaceDataApi().properties as Shown[]))
	.map((name) => name.replace(/ \(.*\)$/, ''));
/** A name of one word is an ordinary word as well, unless it is what has to be set. */
const parameters = names.filter((name) => name.includes(' '));
const ofOneWord = [...new Set(names)].filter((name) => /^\w+$/.test(name)).join('|');
const unquotedWord = new RegExp(`\\b(?:[Cc]hoose|[Ss]et|[Cc]hange) (?:${ofOneWord})\\b`, 'g');

function namesIn(properties: readonly Shown[]): string[] {
	return properties.flatMap(({ type, displayName = '', options = [] }) => {
		const own = type === undefined || type === 'notice' ? [] : [displayName];
		return [...own, ...namesIn(options.filter((option) => option.type !== undefined))];
	});
}

/** What stands in double quotes is the name of a choice, or a value. A hint about money begins with what acted. */
function unquotedIn(error: string): string[] {
	const text = error.replace(/"[^"]*"|^Max Calls skipped/g, '');
	const unquoted = [...new Set(parameters)].filter((name) =>
		new RegExp(`(?<!['\\w])${name}(?!['\\w])`).test(text),
	);
	const words = [/\boptions? [A-Z]\w+/g, unquotedWord].flatMap((one) => text.match(one) ?? []);
	return [...unquoted, ...words];
}

describe('by the guidelines of n8n', () => {
	test('no text in n8n says failed, problem, mistake or is an error', () => {
		const replaced = /.*\b(?:failed|problems?|mistakes?|is an error)\b.*/gi;
		expect(textsPage().match(replaced) ?? []).toEqual([]);
	});

	test('errors have the names of parameters in single quotes, hints so or in bold', () => {
		const labels = parameters.flatMap((name) => [name, `${name}: Name`]);
		const said = textsBesidePanels().filter((text) => !labels.includes(text));
		const problems = literals().filter(({ isProblem }) => isProblem);
		const texts = [
			...failures().split('\n'),
			...problems.map(({ text }) => text),
			...said.map((text) => text.replace(/<b>[^<]*<\/b>/g, '')),
		];
		expect(texts.length, 'texts').toBeGreaterThan(200);
		const wrong = texts.filter((text) => unquotedIn(text).length > 0);
		expect(wrong.map((text) => `${unquotedIn(text).join(', ')} in: ${text}`)).toEqual([]);
	});
});
