import type { CredentialFile, WorkflowFile } from '../n8n/imports.mts';
import { nodeType } from './canvas.mts';

/** Name of the one Workspace Data node in {@link workflowWithNode}. */
export const nodeName = 'Workspace Data';

/** The part of a credential that differs between tests. */
export interface CredentialChoice {
	/** Address of the service. */
	baseUrl: string;
	/** A v2 developer API key. */
	apiKey?: string;
	/** A v1 developer access token, with `apiVersion` v1. */
	accessToken?: string;
	apiVersion?: 'v1' | 'v2';
}

/**
 * A credential to import.
 *
 * @param id any text without spaces
 * @param name as users see it
 * @param choice address and key
 */
export function credentialFile(id: string, name: string, choice: CredentialChoice): CredentialFile {
	return {
		id,
		name,
		type: 'workspaceDataApi',
		data: { apiVersion: 'v2', apiKey: '', accessToken: '', workspaceCode: '', ...choice },
	};
}

/**
 * A workflow without an id: a manual trigger and one Workspace Data node.
 *
 * @param credentialId id of an imported credential
 * @param parameters the node's parameters; an empty object leaves n8n's defaults
 */
export function workflowWithNode(
	credentialId: string,
	parameters: Record<string, unknown>,
): Omit<WorkflowFile, 'id'> {
	const trigger = 'When clicking ‘Execute workflow’';
	const workflow = {
		name: 'One Workspace Data node',
		nodes: [
			{
				id: 'trigger',
				name: trigger,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'node',
				name: nodeName,
				type: nodeType,
				typeVersion: 1,
				position: [224, 0],
				parameters,
				credentials: { workspaceDataApi: { id: credentialId, name: credentialId } },
			},
		],
		connections: { [trigger]: { main: [[{ node: nodeName, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
	return workflow;
}
