/** Runs whole workflows with n8n-core's `WorkflowExecute`, in this process, with real HTTP. */
import { randomUUID } from 'node:crypto';
import type {
	ExecutionStatus,
	IConnections,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { DataTables } from '../../data-tables.mts';
import { createAdditionalData, WORKFLOW_ID } from './additional-data.mts';
import { type CredentialStore, HarnessCredentialsHelper } from './credentials.mts';
import { createNodeTypes, standInNodeTypes, toItems } from './nodes.mts';
import {
	container,
	loadBuiltPackage,
	type LogEntry,
	n8nCore,
	n8nWorkflow,
	startRuntime,
	withLogs,
} from './runtime.mts';

/** An error as n8n keeps it: a copy of the error's own fields, with message and stack. */
type RunError = Error & {
	description?: string | null;
	httpCode?: string | null;
	context?: Record<string, unknown>;
	messages?: string[];
	[field: string]: unknown;
};

/** One execution of one node. */
export interface NodeResult {
	/** Items per output: [0] the main output, [1] the error output where that is used. */
	outputs: INodeExecutionData[][];
	/** What the node threw. Also set under "continue", where n8n then sends the input down the main output. */
	error: RunError | undefined;
	/** The execution hints the node gave. */
	hints: NodeExecutionHint[];
}

/** What every kind of run reports. */
export interface RunReport {
	/** n8n's whole result, for instance to search it for secrets. */
	run: IRun;
	/** How it ended, as n8n saves it. */
	status: 'success' | 'error' | 'canceled';
	/** The error that ended the run. */
	error: RunError | undefined;
	/** Everything sent to n8n's logger during the run, by nodes (`this.logger`) and by the engine. */
	logs: LogEntry[];
	/** The content of an item's binary property, read through n8n's binary data service. */
	binary(item: INodeExecutionData, propertyName?: string): Promise<Buffer>;
}

/** A run of a workflow. */
export interface WorkflowRun extends RunReport {
	/** The executions of each node, by node name, in order; a node that did not run is not in it. */
	nodes: Record<string, NodeResult[]>;
}

/** What both kinds of run can be given. */
export interface CommonRunOptions {
	/** `manual` (default) is the editor's "Execute workflow", `trigger` a run of an active workflow. */
	mode?: 'manual' | 'trigger';
	/** Asked every few milliseconds during the run; cancels the execution, as its Stop button does, when it says true. */
	cancelWhen?: () => boolean;
	/** Node types of the test's own, by full type name; they come before all others. */
	extraNodeTypes?: Record<string, INodeType>;
	/** n8n's data tables; without, a node that uses them fails. */
	dataTables?: DataTables;
}

/** A workflow to run. */
export interface WorkflowOptions extends CommonRunOptions {
	nodes: INode[];
	connections: IConnections;
	/** Name of the node to start at, usually a stand-in `n8n-nodes-base.manualTrigger`. */
	startNode: string;
	/** What the start stand-in gives out; plain objects become `{ json }`. Default: one empty item. */
	startItems?: ReadonlyArray<INodeExecutionData | object>;
	/** Decrypted credential data by the id (or name) the nodes' `credentials` refer to. */
	credentials?: CredentialStore;
}

const CANCEL_CHECK_MS = 5;

/**
 * Runs a workflow in n8n's engine and waits until it has ended.
 * A failing workflow is a result (`status: 'error'`), not an exception.
 * @throws Error when the workflow needs the package's own nodes and the package is not built
 */
export async function runWorkflow(options: WorkflowOptions): Promise<WorkflowRun> {
	await startRuntime();
	const { nodeTypes, credentialTypes } = await typesFor(options);
	const executionId = randomUUID();
	const workflow = new n8nWorkflow.Workflow({
		id: WORKFLOW_ID,
		name: 'Engine test',
		nodes: options.nodes,
		connections: options.connections,
		active: options.mode === 'trigger',
		nodeTypes: createNodeTypes(nodeTypes),
		settings: { executionOrder: 'v1' },
	});
	const mode = options.mode ?? 'manual';
	const additionalData = createAdditionalData(
		new HarnessCredentialsHelper(credentialTypes, options.credentials ?? {}),
		executionId,
		options.dataTables,
	);
	const hooks = new n8nCore.ExecutionLifecycleHooks(mode, executionId, workflow as never);
	// n8n saves the run that this hook gets first; after a cancel that is before the node comes back.
	let savedStatus: ExecutionStatus | undefined;
	hooks.addHandler('workflowExecuteAfter', (run) => {
		savedStatus ??= run.status;
	});
	additionalData.hooks = hooks;
	const logs: LogEntry[] = [];
	const run = await withLogs(logs, async () => {
		const startedAt = new Date();
		try {
			const startNode = workflow.getNode(options.startNode) ?? undefined;
			const execute = new n8nCore.WorkflowExecute(additionalData, mode);
			return await untilEndOrCancel(execute.run({ workflow, startNode }), options);
		} catch (error) {
			return failedRun(error as Error, startedAt, mode);
		}
	});
	return {
		run,
		status: (savedStatus ?? run.status) as RunReport['status'],
		error: run.data.resultData.error as RunError | undefined,
		logs,
		binary: readBinary,
		nodes: nodeResults(run),
	};
}

/** n8n's stand-ins, the package's own types, and those of the test. */
async function typesFor({ extraNodeTypes, startItems = [{}] }: WorkflowOptions) {
	const { nodeTypes, credentialTypes } = await loadBuiltPackage();
	const standIns = standInNodeTypes(toItems(startItems));
	return { nodeTypes: { ...standIns, ...nodeTypes, ...extraNodeTypes }, credentialTypes };
}

type Execution = ReturnType<InstanceType<typeof n8nCore.WorkflowExecute>['run']>;

async function untilEndOrCancel(
	execution: Execution,
	{ cancelWhen = () => false }: CommonRunOptions,
): Promise<IRun> {
	const checks = setInterval(() => {
		if (cancelWhen()) execution.cancel();
	}, CANCEL_CHECK_MS);
	try {
		return await execution;
	} finally {
		clearInterval(checks);
	}
}

/** What n8n saves when a workflow cannot even start, for instance with a required parameter empty. */
function failedRun(error: Error, startedAt: Date, mode: 'manual' | 'trigger'): IRun {
	const data = n8nWorkflow.createRunExecutionData({
		resultData: {
			error: { ...error, message: error.message, stack: error.stack } as never,
			runData: {},
		},
	});
	const stoppedAt = new Date();
	return { data, finished: false, mode, startedAt, stoppedAt, status: 'error', storedAt: 'db' };
}

function nodeResults(run: IRun): Record<string, NodeResult[]> {
	const resultOf = (task: ITaskData): NodeResult => ({
		outputs: (task.data?.main ?? []).map((items) => items ?? []),
		error: task.error as RunError | undefined,
		hints: task.hints ?? [],
	});
	const executed = Object.entries(run.data.resultData.runData);
	return Object.fromEntries(executed.map(([name, tasks]) => [name, tasks.map(resultOf)]));
}

async function readBinary(item: INodeExecutionData, propertyName = 'data'): Promise<Buffer> {
	const data = item.binary?.[propertyName];
	if (!data) throw new Error(`The item has no binary property "${propertyName}"`);
	return await container.get(n8nCore.BinaryDataService).getAsBuffer(data);
}
