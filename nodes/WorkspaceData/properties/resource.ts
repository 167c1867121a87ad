import type { INodeProperties } from 'n8n-workflow';

import { operations, resources } from '../operations';

/** The Resource list, and one Operation list for each resource, both made from the operations table. */
export const resourceProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map((resource) => ({ ...resource })),
		default: 'company',
	},
	...resources.map(({ value: resource }): INodeProperties => {
		const rows = operations.filter((row) => row.resource === resource);
		const defaultOperation = (rows.find((row) => row.kind === 'list') ?? rows[0]).operation;
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: rows.map(({ operation, name, action, description }) => ({
				name,
				value: operation,
				action,
				description,
			})),
			default: defaultOperation,
		};
	}),
];
