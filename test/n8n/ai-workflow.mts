import type { CredentialFile } from './imports.mts';
import { chain, dataNode, manualTrigger } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

const modelCredential = { id: 'scriptedModel', name: 'Scripted model' };

export const agentName = 'AI Agent';

/** Name of the Workspace Data node that the AI Agent uses as a tool. */
export const toolName = 'Workspace Data';

/** Returns a credential with which n8n's OpenAI node uses the tests' scripted model server. */
export function modelCredentialFile(url: string): CredentialFile {
	return {
		...modelCredential,
		type: 'openAiApi',
		data: { apiKey: 'fake-model-key', organizationId: '', url, header: false },
	};
}

/** Returns an expression that lets the model fill in a parameter of a tool. */
export const fromModel = (key: string, description: string, type = 'string'): string =>
	`={{ $fromAI('${key}', '${description}', '${type}') }}`;

/**
 * Returns a workflow with n8n's AI Agent, a chat model and the Workspace Data node as the only tool.
 * @param toolParameters parameters of the Workspace Data node, with `$fromAI` for values that the model fills in
 */
export function agentWorkflow(
	name: string,
	toolParameters: Record<string, unknown>,
	tool: Partial<WorkflowNode> = {},
	agentVersion = 3.1,
): RunnableWorkflow {
	const workflow = chain(name, [
		manualTrigger(),
		{
			name: agentName,
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: agentVersion,
			parameters: { promptType: 'define', text: 'Help me with my companies.', options: {} },
		},
	]);
	const attached = chain(name, [
		{
			name: 'Chat Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
			credentials: { openAiApi: modelCredential },
		},
		dataNode(toolParameters, {
			name: toolName,
			type: 'n8n-nodes-workspace-data.workspaceDataTool',
			...tool,
		}),
	]);
	return {
		...workflow,
		nodes: [...workflow.nodes, ...attached.nodes],
		connections: {
			...workflow.connections,
			'Chat Model': connection('ai_languageModel'),
			[toolName]: connection('ai_tool'),
		},
	};
}

function connection(type: string): Record<string, unknown> {
	return { [type]: [[{ node: agentName, type, index: 0 }]] };
}
