// nodes/WorkspaceData/: the action node. `operations.ts` lists its operations, `execute.ts` runs them.

import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { properties, subtitle } from './node-properties';
import { execute } from './execute';
import { operationsOf } from './operations';
import { fieldsLoader } from '../shared/panel/fields-option';
import { listObjectTypes } from '../shared/panel/object-type';
import { billingHints } from './call/call-hints';
import { listHints } from './list/list-hints';
import { chosenList } from './list/list-parameters';

/** Names of the operations that need no credential because they send no request, such as Confirm Changes. */
const confirming = operationsOf('confirm').map(({ operation }) => operation);

/** The Workspace Data node. It offers every operation of this package except the trigger. */
export class WorkspaceData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Workspace Data',
		name: 'workspaceData',
		icon: {
			light: 'file:../../icons/workspaceData.svg',
			dark: 'file:../../icons/workspaceData.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Export, query, enrich, score and prospect companies, deals, orders and items of a Workspace Data Service',
		defaults: { name: 'Workspace Data' },
		usableAsTool: true,
		// Text for n8n's AI assistants, which do not see the panel's notices and the descriptions of choices.
		builderHint: {
			searchHint:
				'Sync: Get Changes needs Sync: Confirm Changes as the last node of the workflow, after the data is saved (with Loop Over Items: at its Done branch). Otherwise every run returns the same changes. Enrich, Score and Prospect may be billed for each input item: set options.maxCalls, or previewOnly for a dry run. To create, update or delete records, use HTTP Request with the credential workspaceDataApi.',
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'workspaceDataApi',
				required: true,
				displayOptions: { hide: { operation: confirming } },
			},
		],
		hints: [...billingHints, ...listHints],
		properties,
	};

	methods = {
		listSearch: { listObjectTypes },
		loadOptions: { getFields: fieldsLoader(chosenList) },
	};

	/** Runs the node. n8n calls this function once for all input items. */
	execute = execute;
}
