import type { CredentialFile } from '../n8n/imports.mts';
import { chain, dataNode, manualTrigger, pollingTrigger } from '../n8n/workflows.mts';
import type { RunnableWorkflow } from '../n8n/workflows.mts';

/** Name of the one Workspace Data node in {@link workflowWithNode}. */
export const nodeName = 'Workspace Data';

/** Name of the one node in {@link workflowWithTrigger}. */
export const triggerName = 'Workspace Data Trigger';

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
 * A credential to store.
 *
 * @param id by which workflows of the tests name it
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

const credentials = (id: string) => ({ workspaceDataApi: { id, name: id } });

/** What a node names to have full access. */
export const fullAccess = credentials('full');

/**
 * A manual trigger and one Workspace Data node.
 *
 * @param parameters the node's parameters; an empty object leaves n8n's defaults
 * @param credentialId which of the credentials that were stored
 */
export function workflowWithNode(
	parameters: Record<string, unknown>,
	credentialId = 'full',
): RunnableWorkflow {
	return chain('One Workspace Data node', [
		{ ...manualTrigger(), name: 'When clicking ‘Execute workflow’' },
		dataNode(parameters, { name: nodeName, credentials: credentials(credentialId) }),
	]);
}

/** The trigger, as it is when new. */
export function workflowWithTrigger(): RunnableWorkflow {
	const parameters = { pollTimes: { item: [{ mode: 'everyMinute' }] } };
	const settings = { name: triggerName, parameters, credentials: fullAccess };
	return chain('A trigger', [{ ...pollingTrigger(), ...settings }]);
}
