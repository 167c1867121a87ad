/**
 * Runs workflows with the built package in n8n's engine (n8n-core), inside the test process and with real HTTP
 * requests. The engine loads `dist/`, resolves expressions, routes items and errors, and stores binary data. Only n8n's
 * server and n8n's own nodes are replaced by stand-ins.
 */
import { randomUUID } from 'node:crypto';
import type {
	ExecutionStatus,
	IConnections,
	INode,
	INodeExecutionData,
	INodeType,
	IPinData,
	IRun,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { DataTables } from '../../data-tables.mts';
import { createNodeTypes, START_NODE_TYPE, startNodeType, toItems } from './nodes.mts';
import {
	container,
	loadBuiltPackage,
	type LogEntry,
	n8nCore,
	n8nWorkflow,
	packageName,
	startRuntime,
	withLogs,
} from './runtime.mts';
import { createAdditionalData, type CredentialStore, WORKFLOW_ID } from './server.mts';

export { START_NODE_TYPE } from './nodes.mts';
export { stopRuntime as closeHarness } from './runtime.mts';

/** Full type name of the action node. */
export const NODE_TYPE = `${packageName}.workspaceData`;
/** Name of the package's credential type. */
export const CREDENTIAL_TYPE = 'workspaceDataApi';

/** Error as n8n stores it: a copy of the error's own fields, with message and stack. */
type RunError = Error & {
	description?: string | null;
	httpCode?: string | null;
	context?: Record<string, unknown>;
	messages?: string[];
	[field: string]: unknown;
};

/** Result of one execution of a node. */
interface NodeResult {
	/** Items per output: [0] the main output, [1] the error output if it is used. */
	outputs: INodeExecutionData[][];
	/** Error that the node threw. Set even with On Error "continue", although n8n then passes the input items on. */
	error: RunError | undefined;
	/** Hints that n8n shows below the output of the node. */
	hints: NodeExecutionHint[];
}

/** Result of a workflow run. */
export interface WorkflowRun {
	/** n8n's whole result, for example to search it for secrets. */
	run: IRun;
	/** Final status of the run, as n8n saves it. */
	status: ExecutionStatus;
	/** Error that ended the run. */
	error: RunError | undefined;
	/** Log entries of the run, from nodes (`this.logger`) and from the engine. */
	logs: LogEntry[];
	/** Reads an item's binary property through n8n's binary data service. */
	binary(item: INodeExecutionData, propertyName?: string): Promise<Buffer>;
	/** Results of each node by node name, one for each execution of the node. Nodes that did not run are missing. */
	nodes: Record<string, NodeResult[]>;
}

/** Workflow to run, with its input. */
export interface WorkflowOptions {
	nodes: INode[];
	connections: IConnections;
	/** Name of the first node, usually a stand-in `n8n-nodes-base.manualTrigger`. */
	startNode: string;
	/** Items that the first node returns. Plain objects become `{ json }`. Default: one empty item. */
	startItems?: ReadonlyArray<INodeExecutionData | object>;
	credentials?: CredentialStore;
	/**
	 * `manual` (default) is the editor's "Execute workflow", `trigger` is a run of an active workflow, and `retry` is a
	 * retried run.
	 */
	mode?: 'manual' | 'trigger' | 'retry';
	/**
	 * The harness calls this function every few milliseconds. When it returns true, the harness cancels the execution
	 * like the Stop button.
	 */
	cancelWhen?: () => boolean;
	/** Node types of the test by full type name. They replace other types of the same name. */
	extraNodeTypes?: Record<string, INodeType>;
	/** Simulated data tables of n8n. Without them, a node that uses data tables fails. */
	dataTables?: DataTables;
	/**
	 * For runs in the editor: `pinData` is the pinned output of nodes, and `destination` is the node of "Execute step".
	 */
	pinData?: IPinData;
	destination?: string;
}

/** Node that runs alone, directly after a start node. */
export interface RunOptions
	extends Pick<WorkflowOptions, 'mode' | 'cancelWhen' | 'extraNodeTypes' | 'dataTables'> {
	/** Parameters of the node: `resource`, `operation` and so on. Expressions (`={{ $json.id }}`) work. */
	parameters: Record<string, unknown>;
	/** Decrypted data of the node's credential. Without it, the node has no credential. */
	credential?: Record<string, unknown>;
	/** Input items of the node. Plain objects become `{ json }`. Default: one empty item. */
	items?: ReadonlyArray<INodeExecutionData | object>;
	/** Full type name of the node. n8n also creates a tool type of the node for AI agents. */
	type?: string;
	/** The node's "On Error" setting. Default: `stopWorkflow`. */
	onError?: INode['onError'];
	/** The node's setting Retry On Fail. n8n allows 2 to 5 attempts and a wait of at most 5,000 ms. */
	retryOnFail?: Pick<INode, 'maxTries' | 'waitBetweenTries'>;
}

/** Result of running one node. */
export type NodeRun = Omit<WorkflowRun, 'nodes'> & NodeResult;

const START_NAME = 'Items';
const NODE_NAME = 'Node under test';
const CREDENTIAL_ID = 'credential-under-test';
const CANCEL_CHECK_MS = 5;

/** Returns a node of a workflow. Its id equals its name. */
export const nodeOf = (name: string, type: string, more: Partial<INode> = {}): INode => ({
	...{ id: name, name, type, typeVersion: 1, position: [0, 0] as [number, number] },
	parameters: {},
	...more,
});

/**
 * Runs one node in n8n's engine, and waits until the run has ended. Does not throw if the node fails. In that case,
 * `error` is the error that the node threw, or that kept the workflow from starting. If a node throws with On Error
 * "continue", the result has outputs as well as `error` and `status: 'error'`, because no other node follows.
 * @throws Error if the package is not built from the current sources
 */
export async function runNode(options: RunOptions): Promise<NodeRun> {
	const { parameters, credential, items, onError = 'stopWorkflow', retryOnFail, ...more } = options;
	const { type = NODE_TYPE, ...common } = more;
	const { nodes: results, ...report } = await runWorkflow({
		...common,
		nodes: [
			nodeOf(START_NAME, START_NODE_TYPE),
			nodeOf(NODE_NAME, type, {
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
	const result = results[NODE_NAME]?.[0] ?? { outputs: [], error: undefined, hints: [] };
	return { ...report, ...result, error: result.error ?? report.error };
}

/**
 * Runs a workflow in n8n's engine, and waits until the run has ended. Does not throw if the workflow fails: the result
 * then has `status: 'error'`.
 * @throws Error if the package is not built from the current sources
 */
export async function runWorkflow(options: WorkflowOptions): Promise<WorkflowRun> {
	await startRuntime();
	const { mode = 'manual', startItems = [{}], cancelWhen = () => false } = options;
	const { nodeTypes } = await loadBuiltPackage();
	const start = { [START_NODE_TYPE]: startNodeType(toItems(startItems)) };
	const executionId = randomUUID();
	const workflow = new n8nWorkflow.Workflow({
		id: WORKFLOW_ID,
		name: 'Engine test',
		nodes: options.nodes,
		connections: options.connections,
		active: mode === 'trigger',
		nodeTypes: createNodeTypes({ ...start, ...nodeTypes, ...options.extraNodeTypes }),
		settings: { executionOrder: 'v1' },
	});
	const { credentials = {}, dataTables } = options;
	const additionalData = await createAdditionalData(credentials, executionId, dataTables);
	const hooks = new n8nCore.ExecutionLifecycleHooks(mode, executionId, workflow as never);
	// n8n saves the status that this hook gets first, so ignore later calls. After a cancellation, n8n calls the hook
	// before the node has returned.
	let savedStatus: ExecutionStatus | undefined;
	hooks.addHandler('workflowExecuteAfter', (run) => {
		savedStatus ??= run.status;
	});
	additionalData.hooks = hooks;
	const logs: LogEntry[] = [];
	const run = await withLogs(logs, async () => {
		const startedAt = new Date();
		let checks: NodeJS.Timeout | undefined;
		try {
			const startNode = workflow.getNode(options.startNode) ?? undefined;
			const execute = new n8nCore.WorkflowExecute(additionalData, mode);
			const { pinData, destination } = options;
			const destinationNode = destination && { nodeName: destination, mode: 'inclusive' as const };
			const execution = execute.run({
				...{ workflow, startNode, pinData },
				...(destinationNode && { destinationNode }),
			});
			checks = setInterval(() => {
				if (cancelWhen()) execution.cancel();
			}, CANCEL_CHECK_MS);
			return await execution;
		} catch (error) {
			return failedRun(error as Error, startedAt, mode);
		} finally {
			clearInterval(checks);
		}
	});
	const { error, runData } = run.data.resultData;
	return {
		run,
		status: savedStatus ?? run.status,
		error: error as RunError | undefined,
		logs,
		binary: readBinary,
		nodes: Object.fromEntries(
			Object.entries(runData).map(([name, tasks]) => [name, tasks.map(resultOf)]),
		),
	};
}

/** Returns the result that n8n saves if a workflow cannot start, for example because a required parameter is empty. */
function failedRun(
	error: Error,
	startedAt: Date,
	mode: NonNullable<WorkflowOptions['mode']>,
): IRun {
	const data = n8nWorkflow.createRunExecutionData({
		resultData: {
			error: { ...error, message: error.message, stack: error.stack } as never,
			runData: {},
		},
	});
	const stoppedAt = new Date();
	return { data, finished: false, mode, startedAt, stoppedAt, status: 'error', storedAt: 'db' };
}

function resultOf(task: ITaskData): NodeResult {
	return {
		outputs: (task.data?.main ?? []).map((items) => items ?? []),
		error: task.error as RunError | undefined,
		hints: task.hints ?? [],
	};
}

async function readBinary(item: INodeExecutionData, propertyName = 'data'): Promise<Buffer> {
	const data = item.binary?.[propertyName];
	if (!data) throw new Error(`The item has no binary property "${propertyName}"`);
	return await container.get(n8nCore.BinaryDataService).getAsBuffer(data);
}
