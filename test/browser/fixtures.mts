import { sandboxCredential } from '../n8n/imports.mts';
import { chain, dataNode, manualTrigger, pollingTrigger } from '../n8n/workflows.mts';
import type { RunnableWorkflow } from '../n8n/workflows.mts';

/** Name of the one Workspace Data node in {@link workflowWithNode}. */
export const nodeName = 'Workspace Data';

/** Name of the one node in {@link workflowWithTrigger}. */
export const triggerName = 'Workspace Data Trigger';

/**
 * A manual trigger and one Workspace Data node.
 *
 * @param parameters the node's parameters; an empty object leaves n8n's defaults
 * @param id of its credential; the one with full access when left out
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

/** The trigger, as it is when new. */
export function workflowWithTrigger(): RunnableWorkflow {
	const parameters = { pollTimes: { item: [{ mode: 'everyMinute' }] } };
	return chain('A trigger', [{ ...pollingTrigger(), name: triggerName, parameters }]);
}
