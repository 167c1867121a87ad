/**
 * A stand-in for n8n's server: the data that the server passes to the engine with every execution, and its handling of
 * credentials.
 */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type { DataTables } from '../../data-tables.mts';
import { createNodeTypes } from './nodes.mts';
import { container, loadBuiltPackage, n8nCore, n8nWorkflow } from './runtime.mts';

/** Id of every workflow of the harness. */
export const WORKFLOW_ID = 'engine-test-workflow';

/** Decrypted data of the credentials that a workflow may use, by the id in the nodes. */
export type CredentialStore = Record<string, Record<string, unknown>>;

/**
 * Returns the parts of n8n's server that these nodes need. The addresses are never called, but must be absolute URLs.
 * @param dataTables data tables for sub-workflows with a Data Table node. Without them, no sub-workflow runs.
 */
export async function createAdditionalData(
	credentials: CredentialStore,
	executionId?: string,
	dataTables?: DataTables,
): Promise<IWorkflowExecuteAdditionalData> {
	const { credentialTypes } = await loadBuiltPackage();
	const address = 'http://n8n.invalid/';
	const needed: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: createCredentialsHelper(credentialTypes, credentials),
		executionId,
		workflowId: WORKFLOW_ID,
		currentNodeExecutionIndex: 0,
		formWaitingBaseUrl: `${address}form-waiting`,
		webhookWaitingBaseUrl: `${address}webhook-waiting`,
		variables: {},
		externalSecretsProxy: container.get(n8nCore.ExternalSecretsProxy),
		executeWorkflow: dataTables && runsOn(dataTables),
	};
	return needed as IWorkflowExecuteAdditionalData;
}

function runsOn(dataTables: DataTables): IWorkflowExecuteAdditionalData['executeWorkflow'] {
	return async ({ code }, _additionalData, { inputData = [] }) => {
		if (code === undefined) throw new Error('The engine harness knows no stored workflows');
		const items = inputData.map(({ json }) => json);
		const rows = await dataTables.run(code, items);
		return { executionId: 'sub-workflow', data: [rows.map((json) => ({ json }))] };
	};
}

/** Returns the parts of n8n's credentials helper that the engine and this package's nodes use, without a database. */
function createCredentialsHelper(
	types: Record<string, ICredentialType>,
	store: CredentialStore,
): ICredentialsHelper {
	const find = (details: INodeCredentialsDetails, type: string): ICredentialDataDecryptedObject => {
		const data = store[details.id ?? ''];
		if (data) return { ...data } as ICredentialDataDecryptedObject;
		throw new Error(`Credential with ID "${details.id}" does not exist for type "${type}".`);
	};
	const helper: Partial<ICredentialsHelper> = {
		// The package's credential has no parent type.
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		// Only credentials with an expiring token have this step. n8n skips it for all others.
		preAuthentication: async () => undefined,
		async authenticate(credentials, typeName, incoming) {
			const { authenticate } = types[typeName];
			const request = incoming as IHttpRequestOptions;
			if (typeof authenticate === 'function') return await authenticate(credentials, request);
			throw new Error('The harness knows credentials whose authenticate is a function');
		},
		// Returns the data as a node sees them: with defaults, without hidden fields, and with resolved expressions.
		async getDecrypted(additionalData, details, type, mode, executeData, raw, values) {
			const data = find(details, type);
			if (raw) return data;
			const storedValues = data as INodeParameters;
			const { getNodeParameters } = n8nWorkflow.NodeHelpers;
			const { properties } = types[type];
			const parameters = getNodeParameters(properties, storedValues, true, false, null, null) ?? {};
			for (const name of ['allowedHttpRequestDomains', 'allowedDomains']) {
				if (data[name] !== undefined) parameters[name] ??= storedValues[name];
			}
			const own = parameters as ICredentialDataDecryptedObject;
			const keys = n8nCore.getAdditionalKeys(additionalData, mode, null, { isCredential: true });
			const at = values ?? credentialOnly();
			const resolved = at.workflow.expression.getParameterValue(
				parameters,
				at.runExecutionData,
				at.runIndex,
				at.itemIndex,
				at.node.name,
				at.connectionInputData,
				mode,
				keys,
				executeData,
				false,
				own,
			);
			return resolved as ICredentialDataDecryptedObject;
		},
		getCredentialsProperties: (type) => types[type].properties,
	};
	return helper as ICredentialsHelper;
}

/** Returns the context in which a credential's expressions are resolved if there is no execution yet, as in a poll. */
function credentialOnly(): ICredentialsExpressionResolveValues {
	const node = { id: '', name: '', typeVersion: 1, type: 'mock', position: [0, 0], parameters: {} };
	const nodeTypes = createNodeTypes({ mock: { description: { properties: [] } } as never });
	const nodes = [node as INode];
	const workflow = new n8nWorkflow.Workflow({ nodes, connections: {}, active: false, nodeTypes });
	const nothing = { runExecutionData: null, runIndex: 0, itemIndex: 0, connectionInputData: [] };
	return { workflow, node: nodes[0], ...nothing };
}
