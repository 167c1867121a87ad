import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { CHOSEN, idOf, titleOfResource, WARNING, type Operation } from './operation-row';
import { operations, operationsOf, resources } from './operations';
import { callProperties, fullResponseOption } from './call/call-properties';
import { listProperties } from './list/list-properties';
import { syncProperties } from './sync/sync-properties';
import { requestOptions } from '../common/panel/request-options';
import { byName, NOT_IN_TOOLS } from '../common/panel/fields';
import { optionsFor } from './display';

function operationOf(resource: string): INodeProperties {
	const rows = operations.filter((row) => row.resource === resource);
	const [{ operation: first }] = rows;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: rows.map(offerOf).sort(byName),
		// Never another one: n8n does not store it in workflows.
		default: first,
	};
}

function offerOf({ name, operation: value, action, description, repeat }: Operation) {
	const warning = WARNING[repeat];
	return { name, value, action: action + warning, description: description + warning };
}

/** A model has no last step that could confirm changes. */
const forPeople = operations.filter(({ kind }) => kind === 'changes' || kind === 'confirm');
const offered = resources.map((choice): INodePropertyOptions => {
	const isForPeople = forPeople.some(({ resource }) => resource === choice.value);
	return isForPeople ? { ...choice, displayOptions: NOT_IN_TOOLS } : choice;
});

/** Every parameter of the Workspace Data node, in the order of its panel. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: offered,
		// Never another one: n8n does not store it in workflows.
		default: 'company',
	},
	...resources.map(({ value }) => operationOf(value)),
	...listProperties,
	...syncProperties,
	...callProperties,
	...optionsFor(operationsOf('read'), ({ timeoutMs }) => [
		fullResponseOption,
		requestOptions(timeoutMs),
	]),
];

const names = operations.map((row) => [idOf(row), `${row.name}: ${titleOfResource(row.resource)}`]);

/** What the canvas says under the node's name, such as "Get Many: Company", by the values that n8n stores. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(names))})[${CHOSEN}] }}`;
