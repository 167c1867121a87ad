/**
 * The engine harness: runs the built package in n8n's own engine inside the test process, with real HTTP.
 * n8n-core loads `dist/`, resolves expressions, routes items and errors, stores binary data; nothing of
 * that is imitated. Stand-ins exist only for what n8n's server adds around the engine.
 */
import type { INode, INodeExecutionData } from 'n8n-workflow';
import { START_NODE_TYPE } from './nodes.mts';
import { packageName } from './runtime.mts';
import {
	runWorkflow,
	type CommonRunOptions,
	type NodeResult,
	type RunReport,
} from './workflow.mts';

export { PASS_NODE_TYPE, START_NODE_TYPE } from './nodes.mts';
export { stopRuntime as closeHarness } from './runtime.mts';
export { runWorkflow, type WorkflowOptions, type WorkflowRun } from './workflow.mts';

/** Full type name of the action node. */
export const NODE_TYPE = `${packageName}.workspaceData`;
/** Name of the package's credential type. */
export const CREDENTIAL_TYPE = 'workspaceDataApi';

/** One node, run between a start node that gives it items and nothing. */
export interface RunOptions extends CommonRunOptions {
	/** The node's parameters: `resource`, `operation` and so on. Expressions (`={{ $json.id }}`) work. */
	parameters: Record<string, unknown>;
	/** Decrypted data of the node's credential. Left out: the node has no credential set. */
	credential?: Record<string, unknown>;
	/** The node's input; plain objects become `{ json }`. Default: one empty item. */
	items?: ReadonlyArray<INodeExecutionData | object>;
	/** Of the node's own type, or of the one that n8n makes for agents. */
	type?: string;
	/** The node's "On Error" setting. Default: `stopWorkflow`. */
	onError?: INode['onError'];
	/** The node's "Retry On Fail" setting; n8n keeps tries within 2 to 5 and the wait within 5,000 ms. */
	retryOnFail?: Pick<INode, 'maxTries' | 'waitBetweenTries'>;
}

/** What came of running one node. */
export type NodeRun = RunReport & NodeResult;

const START_NAME = 'Items';
const NODE_NAME = 'Node under test';
const CREDENTIAL_ID = 'credential-under-test';

/**
 * Runs one node in n8n's engine and waits until the run has ended. A failing node is a result, not an
 * exception: `error` is what the node threw, or what kept the workflow from starting. A node that throws
 * under "continue" ends with `error` and `status: 'error'` too (it is the workflow's last), with outputs.
 * @throws Error when the package's own node is wanted and the package is not built
 */
export async function runNode(options: RunOptions): Promise<NodeRun> {
	const {
		parameters,
		credential,
		items,
		onError = 'stopWorkflow',
		retryOnFail,
		type = NODE_TYPE,
		...common
	} = options;
	const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
		...{ id: name, name, type, typeVersion: 1, position: [0, 0] as [number, number] },
		parameters: {},
		...more,
	});
	const { nodes: results, ...report } = await runWorkflow({
		...common,
		nodes: [
			node(START_NAME, START_NODE_TYPE),
			node(NODE_NAME, type, {
				parameters: parameters as INode['parameters'],
				...(credential && {
					credentials: { [CREDENTIAL_TYPE]: { id: CREDENTIAL_ID, name: 'Credential under test' } },
				}),
				onError,
				...(retryOnFail && { retryOnFail: true, ...retryOnFail }),
			}),
		],
		connections: { [START_NAME]: { main: [[{ node: NODE_NAME, type: 'main', index: 0 }]] } },
		startNode: START_NAME,
		startItems: items,
		credentials: credential ? { [CREDENTIAL_ID]: credential } : {},
	});
	const result = results[NODE_NAME]?.[0];
	return {
		...report,
		outputs: result?.outputs ?? [],
		error: result?.error ?? report.error,
		hints: result?.hints ?? [],
	};
}
