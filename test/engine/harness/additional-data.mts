/** What n8n's server hands the engine with every execution. */
import type {
	IDataObject,
	IExecuteWorkflowInfo,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type { HarnessCredentialsHelper } from './credentials.mts';
import { container, n8nCore } from './runtime.mts';

/** The id every workflow of the harness has. */
export const WORKFLOW_ID = 'engine-test-workflow';

/** Stands for n8n's data tables: runs the small workflows in which nodes use them. */
export interface DataTables {
	/** The rows that the last node of the workflow gives. */
	run(code: NonNullable<IExecuteWorkflowInfo['code']>): object[];
}

/** What n8n's server gives every execution; addresses are never called, but have to be absolute URLs. */
export function createAdditionalData(
	credentialsHelper: HarnessCredentialsHelper,
	executionId?: string,
	tables?: DataTables,
): IWorkflowExecuteAdditionalData {
	const notHere = async (): Promise<never> => {
		throw new Error('The engine harness runs no sub-workflows, task runners or stored executions');
	};
	const runTables: IWorkflowExecuteAdditionalData['executeWorkflow'] = async ({ code }) => {
		if (tables === undefined || code === undefined) return await notHere();
		const rows = tables.run(code).map((json) => ({ json: json as IDataObject }));
		return { executionId: 'sub-workflow', data: [rows] };
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
		executeWorkflow: runTables,
		getRunExecutionData: notHere,
		getRuntimeCredential: notHere,
		startRunnerTask: notHere,
	};
}
