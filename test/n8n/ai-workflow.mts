import type { CredentialFile } from './imports.mts';
import { chain, dataNode, manualTrigger } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

const modelCredential = { id: 'scriptedModel', name: 'Scripted model' };

/** The name of the agent node. */
export const agentName = 'AI Agent';

/** The name of the Workspace Data node as a tool. */
export const toolName = 'Workspace Data';

/**
 * n8n's OpenAI credential for the scripted model.
 *
 * @param url the model server's base URL
 */
export function modelCredentialFile(url: string): CredentialFile {
	return {
		...modelCredential,
		type: 'openAiApi',
		data: { apiKey: 'fake-model-key', organizationId: '', url, header: false },
	};
}

/** What may differ between agents. */
export interface AgentSettings {
	/** Version of n8n's AI Agent node; the newest when left out. */
	agentVersion?: number;
	/** More of the tool node, such as `onError`. */
	tool?: Partial<WorkflowNode>;
}

/**
 * A workflow with n8n's AI Agent, a chat model and the Workspace Data node as its only tool.
 *
 * @param name name of the workflow
 * @param toolParameters of the Workspace Data node, with `$fromAI` where the model fills in
 * @param settings version of the agent, more of the tool node
 */
export function agentWorkflow(
	name: string,
	toolParameters: Record<string, unknown>,
	{ agentVersion = 3.1, tool = {} }: AgentSettings = {},
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
