/** Functions that evaluate the parameter panel of the action node with n8n's own code. */
import { NodeHelpers, Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodeType, INodeTypes } from 'n8n-workflow';

import type { Operation } from '../../../nodes/WorkspaceData/operation-row.ts';
import { properties } from '../../../nodes/WorkspaceData/node-properties.ts';
import { WorkspaceData } from '../../../nodes/WorkspaceData/WorkspaceData.node.ts';

/** Members of a node that n8n needs to evaluate display conditions. */
export const NODE = { typeVersion: 1 };
/** Description of the action node. */
export const DESCRIPTION = new WorkspaceData().description;

/** Returns the parameter values of a node: the given values, and the defaults of all other shown parameters. */
export function panel(given: INodeParameters): INodeParameters {
	const values = NodeHelpers.getNodeParameters(properties, given, true, false, NODE, DESCRIPTION);
	if (values === null) throw new Error('no parameters');
	return values;
}

/** Returns a node with these parameters, and the object that resolves its expressions. */
export function editorOf({ description }: Pick<INodeType, 'description'>, parameters: object) {
	const node = {
		...{ id: 'node', name: 'Node', type: 'test', typeVersion: 1, position: [0, 0] as [0, 0] },
		parameters: { ...parameters },
	};
	const nodeTypes = { getByNameAndVersion: () => ({ description }) } as unknown as INodeTypes;
	const { expression } = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return { node, expression };
}

/** Returns the text that the canvas shows under the name of a node with these parameters. */
export function subtitleOf(type: Pick<INodeType, 'description'>, parameters: object): unknown {
	const { node, expression } = editorOf(type, parameters);
	const { subtitle = '' } = type.description;
	return expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

/** Returns the parameters that the panel shows if the node has these values. */
export function shownFor(given: INodeParameters): INodeProperties[] {
	const values = panel(given);
	return properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, NODE, DESCRIPTION),
	);
}

/** Returns the names of all entries of a list, sorted. */
export const namesOf = (list: ReadonlyArray<{ name: string }>): string[] =>
	list.map(({ name }) => name).sort();

/** Returns sets of panel values that together use every parameter and option of an operation. */
export function choicesOf(row: Operation): INodeParameters[] {
	if (row.kind === 'list') {
		return [
			{},
			{ returnAll: true },
			{ options: { pagination: { values: { page: 1 } } } },
			{ options: { sort: 'updated_at:desc' } },
			{ outputAs: 'ndjson' },
			{ outputAs: 'csv' },
		];
	}
	if (row.kind === 'changes') {
		return [
			{},
			{ startFrom: 'date', startDate: '2026-11-30' },
			{ outputAs: 'ndjson' },
			{ outputAs: 'csv' },
			{ progress: 'given', outputAs: 'batch' },
		];
	}
	if (row.sendsData) {
		return [
			{
				fields: { assignments: [{ name: 'a', value: 'b', type: 'string' }] },
				includeInputFields: true,
				options: { cache: { values: { days: 30 } } },
			},
			{ dataToSend: 'json', jsonBody: '{"a":1}' },
			{ dataToSend: 'autoMapInputData', options: { outputFields: 'domain' } },
		];
	}
	if (row.kind !== 'call') return [{}];
	return [{ includeInputFields: true }, { options: { outputFields: 'domain' } }];
}
