/** What n8n's server hands the engine with every execution. */
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import type { DataTables } from '../../data-tables.mts';
import type { HarnessCredentialsHelper } from './credentials.mts';
import { container, n8nCore } from './runtime.mts';

/** The id every workflow of the harness has. */
export const WORKFLOW_ID = 'engine-test-workflow';

const notHere = async (): Promise<never> => {
	throw new Error('The engine harness runs no sub-workflows, task runners or stored executions');
};

/**
 * What n8n's server gives every execution; addresses are never called, but have to be absolute URLs.
 *
 * @param dataTables what sub-workflows with a Data Table node work on; without, no sub-workflow runs
 */
export function createAdditionalData(
	credentialsHelper: HarnessCredentialsHelper,
	executionId?: string,
	dataTables?: DataTables,
): IWorkflowExecuteAdditionalData {
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
		executeWorkflow: dataTables === undefined ? notHere : runsOn(dataTables),
		getRunExecutionData: notHere,
		getRuntimeCredential: notHere,
		startRunnerTask: notHere,
	};
}

function runsOn(dataTables: DataTables): IWorkflowExecuteAdditionalData['executeWorkflow'] {
	return async ({ code }, _additionalData, { inputData = [] }) => {
		if (code === undefined) throw new Error('The engine harness knows no stored workflows');
		const items = inputData.map(({ json }) => json);
		const rows = await dataTables.run(code, items);
		return { executionId: 'sub-workflow', data: [rows.map((json) => ({ json }))] };
	};
}
