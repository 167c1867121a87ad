import { chain, dataNode, manualTrigger, pollingTrigger, sameItems } from '../n8n/workflows.mts';
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

/** Name of the node before the Workspace Data node in {@link workflowAfterItems}. */
export const itemsName = 'Companies';

/** A manual trigger, so many items with the same domain, and one Workspace Data node. */
export function workflowAfterItems(
	parameters: Record<string, unknown>,
	items: number,
): RunnableWorkflow {
	return chain('Companies before a Workspace Data node', [
		manualTrigger(),
		sameItems(itemsName, { domain: 'acme.example' }, items),
		dataNode(parameters, { name: nodeName, credentials: fullAccess }),
	]);
}

/** The trigger, as it is when new. */
export function workflowWithTrigger(): RunnableWorkflow {
	const parameters = { pollTimes: { item: [{ mode: 'everyMinute' }] } };
	const settings = { name: triggerName, parameters, credentials: fullAccess };
	return chain('A trigger', [{ ...pollingTrigger(), ...settings }]);
}
