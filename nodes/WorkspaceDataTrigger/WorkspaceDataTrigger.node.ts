// nodes/WorkspaceDataTrigger/: the trigger node, its stored checkpoints and the time limit of a poll.

import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { RECORDS_QUERY } from '../shared/client/api';
import { fieldsLoader } from '../shared/panel/fields-option';
import { listObjectTypes } from '../shared/panel/object-type';
import { properties } from './trigger-properties';
import { runPoll } from './run-poll';

/** Trigger node that starts a workflow with created or updated records of the Workspace Data Service. */
export class WorkspaceDataTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Workspace Data Trigger',
		name: 'workspaceDataTrigger',
		icon: {
			light: 'file:../../icons/workspaceData.svg',
			dark: 'file:../../icons/workspaceData.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter.objectType.toTitleCase() + ": " + { recordCreated: "created", recordUpdated: "created or updated" }[$parameter.event] }}',
		// n8n lists the trigger node and the action node as one entry, with this description.
		description:
			'Export, enrich and score companies, deals, orders and items of a Workspace Data Service, or start a workflow when records are created or updated',
		defaults: { name: 'Workspace Data Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'workspaceDataApi', required: true }],
		hints: [
			{
				message:
					'<b>Fetch Test Event</b> returns a few existing records as samples, regardless of Start From.',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
			},
		],
		properties,
	};

	methods = {
		listSearch: { listObjectTypes },
		loadOptions: { getFields: fieldsLoader(() => ({ ...RECORDS_QUERY, choosesObjectType: true })) },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await runPoll(this);
	}
}
