/** What n8n's server hands the engine with every execution. */
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import type { HarnessCredentialsHelper } from './credentials.mts';
import { container, n8nCore } from './runtime.mts';

/** The id every workflow of the harness has. */
export const WORKFLOW_ID = 'engine-test-workflow';

/** What n8n's server gives every execution; addresses are never called, but have to be absolute URLs. */
export function createAdditionalData(
	credentialsHelper: HarnessCredentialsHelper,
	executionId?: string,
): IWorkflowExecuteAdditionalData {
	const notHere = async (): Promise<never> => {
		throw new Error('The engine harness runs no sub-workflows, task runners or stored executions');
	};
	const address = 'http://n8n.invalid/';
	return {
		credentialsHelper,
		executionId,
		workflowId: WORKFLOW_ID,
		currentNodeExecutionIndex: 0,
		restApiUrl: `${address}rest`,
		instanceBaseUrl: address,
		formBaseUrl: `${address}form`,
		formWaitingBaseUrl: `${address}form-waiting`,
		formTestBaseUrl: `${address}form-test`,
		webhookBaseUrl: `${address}webhook`,
		webhookWaitingBaseUrl: `${address}webhook-waiting`,
		webhookTestBaseUrl: `${address}webhook-test`,
		mcpBaseUrl: `${address}mcp`,
		mcpTestBaseUrl: `${address}mcp-test`,
		variables: {},
		externalSecretsProxy: container.get(n8nCore.ExternalSecretsProxy),
		setExecutionStatus: () => undefined,
		logAiEvent: () => undefined,
		executeWorkflow: notHere,
		getRunExecutionData: notHere,
		getRuntimeCredential: notHere,
		startRunnerTask: notHere,
	};
}
