import { sandboxCredential } from '../n8n/imports.mts';
import { chain, dataNode, manualTrigger, pollingTrigger } from '../n8n/workflows.mts';
import type { RunnableWorkflow } from '../n8n/workflows.mts';

/** Name of the Workspace Data node in {@link workflowWithNode}. */
export const nodeName = 'Workspace Data';

/** Name of the trigger in {@link workflowWithTrigger}. */
export const triggerName = 'Workspace Data Trigger';

/**
 * Returns a workflow with a manual trigger and one Workspace Data node.
 * @param parameters parameters of the node. An empty object leaves the defaults.
 * @param id id of the node's credential. Default: the credential with full access.
 */
export function workflowWithNode(
	parameters: Record<string, unknown>,
	id = sandboxCredential.id,
): RunnableWorkflow {
	const credentials = { workspaceDataApi: { id, name: id } };
	return chain('One Workspace Data node', [
		{ ...manualTrigger(), name: 'When clicking ‘Execute workflow’' },
		dataNode(parameters, { name: nodeName, credentials }),
	]);
}

/** Returns a workflow with a new Workspace Data Trigger node. */
export function workflowWithTrigger(): RunnableWorkflow {
	const parameters = { pollTimes: { item: [{ mode: 'everyMinute' }] } };
	return chain('A trigger', [{ ...pollingTrigger(), name: triggerName, parameters }]);
}
