import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { CHOSEN, idOf, titleOfResource, WARNING, type Operation } from './operation-row';
import { operations, operationsOf, resources } from './operations';
import { callProperties, fullResponseOption } from './call/call-properties';
import { listProperties } from './list/list-properties';
import { syncProperties } from './sync/sync-properties';
import { requestOptions } from '../shared/panel/request-options';
import { byName, NOT_IN_TOOLS } from '../shared/panel/parameter-builders';
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

const names = operations.map((row) => {
	const resource = row.choosesObjectType ? '' : `: ${titleOfResource(row.resource)}`;
	return [idOf(row), row.name + resource];
});
const choosing = operations.filter(({ choosesObjectType }) => choosesObjectType).map(idOf);
/** Empty for other operations, and for an expression that has no value before the node runs. */
const typeChosen = `(() => { try { return ${JSON.stringify(choosing)}.includes(${CHOSEN}) && $parameter.objectType; } catch (error) { return ""; } })()`;

/** The text under the node's name on the canvas, such as "Get Many: Company", or "Query: Order" by Object Type. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(names))})[${CHOSEN}] + ((type) => type ? ": " + String(type).replaceAll("_", " ").toTitleCase() : "")(${typeChosen}) }}`;
