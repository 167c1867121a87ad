import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { CHOSEN, idOf, titleOfResource, WARNING, type Operation } from './operation-row';
import { operations, operationsOf, resources } from './operations';
import { callProperties, fullResponseOption } from './call/call-properties';
import { listProperties } from './list/list-properties';
import { syncProperties } from './sync/sync-properties';
import { requestOptions } from '../shared/panel/request-options';
import { byName, NOT_IN_TOOLS } from '../shared/panel/parameter-builders';
import { optionsFor } from './display';

function operationProperty(resource: string): INodeProperties {
	const rows = operations.filter((row) => row.resource === resource);
	const [{ operation: first }] = rows;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: rows.map(operationChoice).sort(byName),
		// Never change the default operation: n8n does not store defaults, so saved workflows would run another one.
		default: first,
	};
}

function operationChoice({ name, operation: value, action, description, repeat }: Operation) {
	const warning = WARNING[repeat];
	return { name, value, action: action + warning, description: description + warning };
}

/** Operations that tools do not offer, because a tool call has no last step that could confirm changes. */
const notInTools = operations.filter(({ kind }) => kind === 'changes' || kind === 'confirm');
const resourceChoices = resources.map((choice): INodePropertyOptions => {
	const isHidden = notInTools.some(({ resource }) => resource === choice.value);
	return isHidden ? { ...choice, displayOptions: NOT_IN_TOOLS } : choice;
});

/** Every parameter of the Workspace Data node, in the order of its panel. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resourceChoices,
		// Never change this default: n8n does not store defaults, so saved workflows would use another resource.
		default: 'company',
	},
	...resources.map(({ value }) => operationProperty(value)),
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
const withObjectType = operations.filter(({ choosesObjectType }) => choosesObjectType).map(idOf);
/** Expression for the chosen Object Type. Empty if the operation has none, or if its value is known only in a run. */
const chosenType = `(() => { try { return ${JSON.stringify(withObjectType)}.includes(${CHOSEN}) && $parameter.objectType; } catch (error) { return ""; } })()`;

/** Text under the name of the node on the canvas, such as "Get Many: Company" or "Query: Order". */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(names))})[${CHOSEN}] + ((type) => type ? ": " + String(type).replaceAll("_", " ").toTitleCase() : "")(${chosenType}) }}`;
