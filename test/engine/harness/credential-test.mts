/** Runs a credential's `test` the way n8n's server does when a user saves the credential. */
import type {
	ICredentialTestRequest,
	ICredentialType,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { createAdditionalData } from './additional-data.mts';
import { HarnessCredentialsHelper } from './credentials.mts';
import { createNodeTypes, PASS_NODE_TYPE, standInNodeTypes } from './nodes.mts';
import {
	getByPath,
	loadBuiltPackage,
	n8nCore,
	n8nWorkflow,
	withExpressions,
	withLogs,
} from './runtime.mts';

const CREDENTIAL_NAME = 'workspaceDataApi';

interface RequestError extends Error {
	cause?: { code?: string; response?: { status: number; statusText: string } };
}

/**
 * Tests a credential: one real request to the address its `test` names, its rules applied to the answer.
 * @param credential decrypted data as a user filled it in; defaults are added
 * @throws Error when the package is not built, or the credential has no `test`
 */
export async function callCredentialTest(
	credential: Record<string, unknown>,
): Promise<INodeCredentialTestResult> {
	const type = (await loadBuiltPackage()).credentialTypes[CREDENTIAL_NAME];
	const { test } = type;
	if (!test) throw new Error(`The credential type ${type.name} has no test`);
	return await withLogs([], async () => {
		let response: INodeExecutionData[][] | undefined;
		try {
			response = await sendTestRequest(type, test, credential);
		} catch (error) {
			return failureOf(error as RequestError, test);
		}
		return successOf(response, test);
	});
}

async function sendTestRequest(
	type: ICredentialType,
	test: ICredentialTestRequest,
	credential: Record<string, unknown>,
): Promise<INodeExecutionData[][] | undefined> {
	const id = 'credential-under-test';
	const helper = new HarnessCredentialsHelper({ [type.name]: type }, { [id]: credential });
	const { node, nodeType } = temporaryNode(type.name, id, test);
	const workflow = new n8nWorkflow.Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: createNodeTypes({ [node.type]: nodeType }),
	});
	const context = new n8nCore.ExecuteContext(
		workflow,
		node,
		createAdditionalData(helper),
		'internal',
		n8nWorkflow.createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const send = async () => await new n8nCore.RoutingNode(context, nodeType).runNode();
	return await withExpressions(workflow, send);
}

/** The do-nothing node n8n makes up for a test, with the test's request as its only parameter. */
function temporaryNode(credentialName: string, id: string, test: ICredentialTestRequest) {
	const { description } = standInNodeTypes([])[PASS_NODE_TYPE];
	const node: INode = {
		id: 'temp',
		parameters: {},
		name: 'Temp-Node',
		type: description.name,
		typeVersion: 1,
		position: [0, 0],
		credentials: { [credentialName]: { id, name: id } },
	};
	const nodeType: INodeType = {
		description: {
			...description,
			credentials: [{ name: credentialName, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request: test.request },
					default: '',
				},
			],
		},
	};
	return { node, nodeType };
}

function failureOf(error: RequestError, test: ICredentialTestRequest): INodeCredentialTestResult {
	const response = error.cause?.response;
	if (response) {
		for (const rule of test.rules ?? []) {
			if (rule.type === 'responseCode' && rule.properties.value === response.status) {
				return { status: 'Error', message: rule.properties.message };
			}
		}
		if (response.status < 199 || response.status > 299) {
			const fallback = `Received HTTP status code: ${response.status}`;
			return { status: 'Error', message: response.statusText || fallback };
		}
	} else if (error.cause?.code) {
		return { status: 'Error', message: error.cause.code };
	}
	return { status: 'Error', message: error.message.toString() };
}

function successOf(
	response: INodeExecutionData[][] | undefined,
	test: ICredentialTestRequest,
): INodeCredentialTestResult {
	const body = response?.[0]?.[0]?.json;
	for (const rule of test.rules ?? []) {
		if (rule.type !== 'responseSuccessBody') continue;
		if (getByPath(body, rule.properties.key) === rule.properties.value) {
			return { status: 'Error', message: rule.properties.message };
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}
