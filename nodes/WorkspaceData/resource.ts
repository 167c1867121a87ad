import type { INodeProperties } from 'n8n-workflow';

import { actionOf, CHOSEN, descriptionOf, subtitleOf, valueOf, type Operation } from './operation';
import { resources, rows } from './operations';

/** The Resource list, and one Operation list for each resource, both made from the operations table. */
export const resourceProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map((resource) => ({ ...resource })),
		// Never another one: n8n does not store it in workflows.
		default: 'company',
	},
	...resources.map(({ value: resource }): INodeProperties => {
		// The one that it starts with is also the first to do: changes are read before they are confirmed.
		const offered = rows
			.filter((row) => row.resource === resource)
			.sort((a, b) => isFirst(b) - isFirst(a) || a.name.localeCompare(b.name));
		const { operation: defaultOperation } = offered[0];
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: offered.map((row) => ({
				name: row.name,
				value: row.operation,
				action: actionOf(row),
				description: descriptionOf(row),
			})),
			default: defaultOperation,
		};
	}),
];

function isFirst({ startsResource }: Operation): number {
	return startsResource ? 1 : 0;
}

/** The node's subtitle on the canvas: the names that people chose, by the values that n8n stores. */
export const subtitle = `={{ (${JSON.stringify(
	Object.fromEntries(rows.map((row) => [valueOf(row), subtitleOf(row)])),
)})[${CHOSEN}] }}`;
