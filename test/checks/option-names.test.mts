import { globSync } from 'node:fs';
import { titleCase } from 'title-case';
import { expect, test } from 'vitest';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { root, textOf } from './imports.mts';
import { failures, textsBesidePanels, type Shown } from './texts.mts';

/** Names of n8n itself, of its nodes, of other programs, and of buttons and choices of the examples. */
const OF_OTHERS = new Set(
	`Always Output Data, Continue, Data, Execute Once, Fetch Test Event, On Error, Attachments, Attachments (File),
Execution Order, Get, Production URL, Retry, Retry On Fail, Stop Workflow, AI Agent, Data Table, Convert to File,
Google Sheets, HTTP Request, If, MCP, MCP Server Trigger, Respond to Webhook, Schedule Trigger, Tools, Authentication,
Bearer Auth, Credential Type, Delimiter, Instructions, Local File, Max Iterations, Predefined Credential Type,
Response Code, URL, Convert to XLSX, Full, Regular, Workspace Data API, Workspace Data Service, Create, Tool,
Loop Over Items, Stop and Error, Approve, Decline, Download, Preview,
Wait For Sub-Workflow Completion`.split(/,\s/),
)
	// An operation on one record would have it.
	.add('Record ID');

const nodes = [new WorkspaceData(), new WorkspaceDataTrigger()].map((node) => node.description);
const ours = new Set([
	...nodes.flatMap(({ displayName }) => [displayName]),
	...namesIn(nodes.flatMap(({ properties }) => properties as Shown[])),
	...namesIn(new WorkspaceDataApi().properties as Shown[]),
]);

/** Every name that a panel shows; texts may leave out what is in brackets, and what kind of choice it is. */
function namesIn(list: readonly Shown[]): string[] {
	return list.flatMap(({ displayName, name = '', options = [], values = [], modes = [] }) => {
		const label = displayName ?? name;
		const inside = namesIn([...options, ...values, ...modes]);
		return [label, label.replace(/ \(.*/, ''), ...label.split(': '), ...inside];
	});
}

/** What a text gives as a name: in quotes, bold or italics, with capital letters. A paragraph may begin in bold. */
function namedIn(text: string): string[] {
	const marked = text.matchAll(
		/(?<![\w*]|^(?:\d\.|-)? ?)(?:'|\*\*|_|<b>)([A-Z][A-Za-z,:() -]*[A-Za-z)])(?:'|\*\*|_|<\/b>)/gm,
	);
	const names = [...marked].flatMap(([, name]) => [name, ...name.split(': ')]);
	return names.filter((name) => titleCase(name) === name && !name.includes(': '));
}

const documents = globSync('{README.md,CHANGELOG.md,docs/*.md,examples/*.{md,json}}', {
	cwd: root,
});
const texts: Array<[string, string]> = [
	...documents.map((file): [string, string] => [file, textOf(file)]),
	['errors', failures()],
	['hints', textsBesidePanels().join('\n')],
];

test.each(texts)('%s calls options as the panel does', (_name, text) => {
	const wrong = namedIn(text).filter((name) => !ours.has(name) && !OF_OTHERS.has(name));
	expect([...new Set(wrong)], 'names that no panel has').toEqual([]);
});
