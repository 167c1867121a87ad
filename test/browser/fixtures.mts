import { chain, dataNode, manualTrigger, pollingTrigger } from '../n8n/workflows.mts';
import type { RunnableWorkflow } from '../n8n/workflows.mts';

/** Name of the one Workspace Data node in {@link workflowWithNode}. */
export const nodeName = 'Workspace Data';

/** Name of the one node in {@link workflowWithTrigger}. */
export const triggerName = 'Workspace Data Trigger';

const credentials = (id: string) => ({ workspaceDataApi: { id, name: id } });

/** What a node names to have full access. */
export const fullAccess = credentials('full');

/**
 * A manual trigger and one Workspace Data node.
 *
 * @param parameters the node's parameters; an empty object leaves n8n's defaults
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
