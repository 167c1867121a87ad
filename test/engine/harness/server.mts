/**
 * Replaces the parts of n8n's server that n8n's engine (n8n-core) needs: the additional data of each execution, and the
 * decryption of credentials.
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

/** ID of every workflow that the harness runs. */
export const WORKFLOW_ID = 'engine-test-workflow';

/** Decrypted data of the credentials in a workflow, by credential ID. */
export type CredentialStore = Record<string, Record<string, unknown>>;

/**
 * Returns the additional data of an execution, as far as this package's nodes need it. No request is sent to the URLs
 * in it, but they must be absolute.
 * @param dataTables data tables for sub-workflows that contain a Data Table node. If undefined, sub-workflows cannot
 * run
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

/**
 * Returns a replacement for n8n's credentials helper. It reads credentials from `store` instead of the database, and
 * has only the methods that the engine and this package's nodes use.
 */
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
		// The credential type of this package has no parent type.
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		// n8n runs this step only for credential types with an expiring token.
		preAuthentication: async () => undefined,
		async authenticate(credentials, typeName, incoming) {
			const { authenticate } = types[typeName];
			const request = incoming as IHttpRequestOptions;
			if (typeof authenticate === 'function') return await authenticate(credentials, request);
			throw new Error('The harness knows credentials whose authenticate is a function');
		},
		// Returns the data as a node sees it: with defaults and resolved expressions, and without hidden fields.
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

/**
 * Returns the context in which n8n resolves a credential's expressions if there is no execution, for example in a poll.
 */
function credentialOnly(): ICredentialsExpressionResolveValues {
	const node = { id: '', name: '', typeVersion: 1, type: 'mock', position: [0, 0], parameters: {} };
	const nodeTypes = createNodeTypes({ mock: { description: { properties: [] } } as never });
	const nodes = [node as INode];
	const workflow = new n8nWorkflow.Workflow({ nodes, connections: {}, active: false, nodeTypes });
	const nothing = { runExecutionData: null, runIndex: 0, itemIndex: 0, connectionInputData: [] };
	return { workflow, node: nodes[0], ...nothing };
}
