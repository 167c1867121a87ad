import { markdownTable } from 'markdown-table';
import type { INodeProperties } from 'n8n-workflow';

import { WorkspaceDataApi } from '../../credentials/WorkspaceDataApi.credentials.ts';
import { operations } from '../../nodes/WorkspaceData/operations.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import type { Shown } from './texts.mts';

/** Row of the table in docs/options.md: an option, the operations that show it, its default and its description. */
interface Row {
	option: string;
	shownFor: string[];
	defaultValue: string;
	description: string;
}

/** Returns the text of docs/options.md: every parameter and option of the panels, with its default. */
export function optionsPage(): string {
	const { description: node } = new WorkspaceData();
	const { description: trigger } = new WorkspaceDataTrigger();
	const { displayName, properties } = new WorkspaceDataApi();
	const parts = [
		`## ${node.displayName}\n\n${tableOf(node.properties, true)}`,
		`## ${trigger.displayName}\n\n${tableOf(trigger.properties, false)}`,
		`## Credential: ${displayName}\n\n${tableOf(properties, false)}`,
	];
	return `# All options

<!-- Written by \`npm run generate\`; changes made by hand are lost. -->

Every parameter and option of the nodes and of the credential. The default is the value that a new parameter or a newly added option has. [Using the nodes](usage.md) explains how they work together.

${parts.join('\n\n')}
`;
}

function tableOf(properties: readonly INodeProperties[], hasOperations: boolean): string {
	const rows = merged(
		(properties as readonly Shown[])
			.filter(({ type, name }) => type !== 'notice' && !['resource', 'operation'].includes(name!))
			.flatMap((property) => rowsOf(property, operationsOf(property))),
	);
	const head = ['Option', ...(hasOperations ? ['For'] : []), 'Default', 'What it does'];
	const lines = rows.map(({ option, shownFor, defaultValue, description }) => [
		option,
		...(hasOperations ? [shownFor.join(', ')] : []),
		defaultValue,
		description,
	]);
	return markdownTable([head, ...lines], { alignDelimiters: false });
}

/** Returns one row for a property, or one row for each option in a collection. */
function rowsOf(property: Shown, shownFor: string[], group = ''): Row[] {
	const { displayName = '', type, options = [], values = [] } = property;
	if (type === 'hidden' || type === 'notice') return [];
	if (type === 'collection') return options.flatMap((option) => rowsOf(option, shownFor));
	const option = group === '' ? `**${displayName}**` : `${group} → **${displayName}**`;
	if (type === 'fixedCollection') {
		const members = [...options.flatMap((inside) => inside.values ?? []), ...values];
		return members.flatMap((member) => rowsOf(member, shownFor, option));
	}
	const description = oneLine(property.description ?? '');
	return [{ option, shownFor, defaultValue: defaultOf(property), description }];
}

/** Returns a default value as the panel shows it, or a dash if the parameter is empty by default. */
function defaultOf({ default: value, type, options = [] }: Shown): string {
	if (type === 'options') {
		const choice = options.find((option) => 'value' in option && option.value === value);
		return choice?.name ?? '–';
	}
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (typeof value === 'number') return value.toLocaleString('en-US');
	if (typeof value === 'string' && value !== '') return `\`${value}\``;
	const { cachedResultName } = Object(value) as { cachedResultName?: string };
	return cachedResultName ?? '–';
}

/** Returns the names of the operations that show a property, without duplicates. */
function operationsOf({ displayOptions }: Shown): string[] {
	const { resource, operation } = displayOptions?.show ?? {};
	const shown = operations
		.filter((row) => !resource || resource.includes(row.resource))
		.filter((row) => !operation || operation.includes(row.operation));
	return [...new Set(shown.map(({ name }) => name))];
}

/**
 * Joins rows that differ only in their operations. They exist because the node declares some parameters once per
 * operation.
 */
function merged(rows: readonly Row[]): Row[] {
	const all = new Map<string, Row>();
	for (const row of rows) {
		const key = JSON.stringify([row.option, row.defaultValue, row.description]);
		const known = all.get(key);
		if (known === undefined) all.set(key, row);
		else known.shownFor = [...new Set([...known.shownFor, ...row.shownFor])];
	}
	return [...all.values()];
}

function oneLine(html: string): string {
	return html
		.replace(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '[$2]($1)')
		.replace(/<code>([^<]*)<\/code>/g, '`$1`')
		.replace(/<[^>]*>/g, '')
		.replace(/\s+/g, ' ')
		.trim();
}
