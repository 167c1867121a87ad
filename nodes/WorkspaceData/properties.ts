import type { INodeProperties } from 'n8n-workflow';

import { outputOption } from './answer';
import {
	actionOf,
	CHOSEN,
	descriptionOf,
	idOf,
	operationKind,
	subtitleOf,
	type Operation,
} from './operation';
import { operations, resources } from './operations';
import { callProperties } from './call/properties';
import { listProperties } from './list/properties';
import { syncProperties } from './sync/properties';
import { maxRetriesOption, maxWaitOption, timeoutOption } from '../common/request-options';
import { optionsFor } from './display';

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
		const offered = operations
			.filter((row) => row.resource === resource)
			.sort((a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name));
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

function rankOf({ startsResource }: Operation): number {
	return startsResource ? 0 : 1;
}

/** Every parameter of the Workspace Data node, in the order of its panel. */
export const properties: INodeProperties[] = [
	...resourceProperties,
	...listProperties,
	...syncProperties,
	...callProperties,
	...optionsFor(
		operations.filter((row) => operationKind(row) === 'read'),
		({ timeoutMs }) => [maxRetriesOption, maxWaitOption, outputOption, timeoutOption(timeoutMs)],
	),
];

/** The node's subtitle on the canvas: the names that people chose, by the values that n8n stores. */
export const subtitle = `={{ (${JSON.stringify(
	Object.fromEntries(operations.map((row) => [idOf(row), subtitleOf(row)])),
)})[${CHOSEN}] }}`;
