/**
 * Polls the built trigger node in n8n-core's poll context, with real HTTP requests. Simulates both ways in which n8n
 * can store the state of a trigger.
 */
import { randomUUID } from 'node:crypto';
import type { PollContext } from 'n8n-core';
import type { IDataObject, INode, INodeExecutionData, Workflow } from 'n8n-workflow';
import type { Bench } from './support.mts';
import { setClockForward } from './clock.mts';
import { createNodeTypes } from './nodes.mts';
import {
	loadBuiltPackage,
	type LogEntry,
	n8nCore,
	n8nWorkflow,
	packageName,
	startRuntime,
	withLogs,
} from './runtime.mts';
import { createAdditionalData } from './server.mts';

/** Full type name of the trigger node. */
const TRIGGER_TYPE = `${packageName}.workspaceDataTrigger`;

const CREDENTIAL_ID = 'credential-under-test';
/** Time in ms that n8n allows by default for a scheduled poll with durable cursors. */
const DURABLE_BUDGET_MS = 36_000;

/** Settings of a trigger node in its workflow. */
interface PollerOptions {
	parameters: Record<string, unknown>;
	/** Decrypted data of the node's credential. `credentialId` is the ID of this credential. */
	credential: Record<string, unknown>;
	credentialId?: string;
	/**
	 * How n8n stores the state of the trigger. `memory` is the default: n8n keeps the state in memory, and saves the
	 * states of all nodes in the workflow at the activation and whenever a trigger returns items. `durable`: each poll
	 * gets a copy of the state. n8n saves this copy if the poll returns items or null. n8n does not save the copy after
	 * an error, or after an activation that returns null.
	 */
	cursors?: 'memory' | 'durable';
}

/** State of one workflow's triggers in n8n's database. */
class Stored {
	readonly workflowId = randomUUID();
	staticData: IDataObject = {};
	cursors: Record<string, IDataObject> = {};
}

/** Options of one poll. */
interface PollOptions {
	/** Time budget that n8n reports for the poll, in ms. `null` for old versions of n8n, which report no budget. */
	budgetMs?: number | null;
	/** `manual` is the editor's "Fetch Test Event". */
	mode?: 'trigger' | 'manual';
	/** Whether n8n saves the state of the poll so slowly that the next poll still gets the old state. */
	isSavingSlow?: boolean;
}

/** Trigger in an active workflow. Tests call `poll` instead of waiting for the schedule of n8n. */
class Poller {
	private workflow: Workflow | undefined;
	/** Poll context that all polls after an activation share if n8n keeps the state in memory. */
	private memoryContext: PollContext | undefined;
	/** Whether the trigger is active. The first successful poll is the activation. */
	private isActivated = false;
	/** Saves the state of a poll that was made with `isSavingSlow`. */
	finishSaving: () => void = () => undefined;
	/** Name of a second trigger in the workflow that has the same node ID. Undefined if there is no such trigger. */
	sameId: string | undefined;
	private readonly options: PollerOptions;
	private readonly database: Stored;
	/** Name of the node. A test can change it, like a user who renames the node. */
	name: string;
	readonly nodeId: string;

	constructor(
		options: PollerOptions,
		database = new Stored(),
		name = 'Trigger',
		nodeId: string = randomUUID(),
	) {
		this.options = options;
		this.database = database;
		this.name = name;
		this.nodeId = nodeId;
	}

	/** Returns the same node with changed settings, as if the user had published the workflow again. */
	edited({ parameters, ...others }: Partial<PollerOptions>): Poller {
		const all = { ...this.options.parameters, ...parameters };
		const options = { ...this.options, ...others, parameters: all };
		return new Poller(options, this.database, this.name, this.nodeId);
	}

	/**
	 * Returns the same node in a copy of the workflow without stored state. As after an import, the node ID stays the
	 * same.
	 */
	inCopiedWorkflow(): Poller {
		return new Poller(this.options, new Stored(), this.name, this.nodeId);
	}

	/** Returns a new trigger in the same workflow, which is not active yet. */
	beside(name: string, parameters: Record<string, unknown> = {}): Poller {
		const all = { ...this.options.parameters, ...parameters };
		return new Poller({ ...this.options, parameters: all }, this.database, name);
	}

	/**
	 * Polls once, as n8n does. Returns the log entries, and the items (null if the node returned null).
	 * @throws the error that the node throws
	 */
	async poll(options: PollOptions = {}) {
		await startRuntime();
		const isActivation = !this.isActivated;
		const workflow = await this.load();
		const node = workflow.getNode(this.name) as INode;
		const isDurable = this.options.cursors === 'durable';
		const { database, nodeId } = this;
		const byName = workflow.staticData[`node:${this.name}`] as IDataObject | undefined;
		const snapshot = plain(database.cursors[nodeId] ?? byName ?? {});
		const context = await this.context(workflow, node, options, isDurable ? snapshot : undefined);
		const { poll } = workflow.nodeTypes.getByNameAndVersion(node.type, 1);
		const logs: LogEntry[] = [];
		await workflow.expression.acquireIsolate();
		const output = await withLogs(logs, async () => (await poll?.call(context)) ?? null)
			.catch((error: unknown) => {
				// After a failed activation, n8n activates the trigger again with a new context.
				if (isActivation) this.memoryContext = undefined;
				throw error;
			})
			.finally(async () => await workflow.expression.releaseIsolate());
		this.isActivated = true;
		const isSaved = output !== null || (isDurable ? !isActivation : isActivation);
		if (isSaved && options.mode !== 'manual') {
			const now = isDurable ? snapshot : plain(workflow.staticData);
			const save = (): void => {
				if (isDurable) database.cursors[nodeId] = now;
				else database.staticData = now;
			};
			if (options.isSavingSlow) this.finishSaving = save;
			else save();
		}
		return { items: output?.[0] ?? null, logs };
	}

	/** Polls until a poll returns null. Returns the items of all polls. */
	async drain(): Promise<INodeExecutionData[]> {
		const all: INodeExecutionData[] = [];
		for (;;) {
			const { items } = await this.poll();
			if (items === null) return all;
			all.push(...items);
		}
	}

	/**
	 * Simulates a crash of n8n and a new start. State that was not saved is lost.
	 * @param tookMs time in ms between crash and start, by which the clock of this process is set forward
	 */
	restart(tookMs = 0): void {
		this.workflow = undefined;
		this.memoryContext = undefined;
		if (this.options.cursors !== 'durable') this.isActivated = false;
		if (tookMs > 0) setClockForward(tookMs);
	}

	/** State of this trigger as n8n has saved it. Undefined if nothing was saved. */
	get stored(): unknown {
		const { cursors, staticData } = this.database;
		const data = cursors[this.nodeId] ?? staticData[`node:${this.name}`] ?? {};
		const states = (data as IDataObject).workspaceData as Record<string, IDataObject> | undefined;
		return states?.[this.nodeId]?.state;
	}

	set stored(state: unknown) {
		const workspaceData = { [this.nodeId]: { count: 1, state } };
		this.database.staticData = { [`node:${this.name}`]: { workspaceData } } as IDataObject;
		this.restart();
	}

	private async load(): Promise<Workflow> {
		if (this.workflow) return this.workflow;
		const { nodeTypes } = await loadBuiltPackage();
		const { credentialId = CREDENTIAL_ID, parameters } = this.options;
		const names = [this.name, ...(this.sameId === undefined ? [] : [this.sameId])];
		this.workflow = new n8nWorkflow.Workflow({
			id: this.database.workflowId,
			name: 'Trigger test',
			nodes: names.map((name) => ({
				id: this.nodeId,
				name,
				type: TRIGGER_TYPE,
				typeVersion: 1,
				position: [0, 0],
				parameters: parameters as INode['parameters'],
				credentials: { workspaceDataApi: { id: credentialId, name: 'Credential under test' } },
			})),
			connections: {},
			active: true,
			nodeTypes: createNodeTypes(nodeTypes),
			staticData: plain(this.database.staticData),
		});
		return this.workflow;
	}

	private async context(
		workflow: Workflow,
		node: INode,
		{ budgetMs, mode = 'trigger' }: PollOptions,
		snapshot: IDataObject | undefined,
	) {
		const { credential, credentialId = CREDENTIAL_ID } = this.options;
		// With durable cursors, n8n allows less time for a scheduled poll.
		const usualMs = snapshot !== undefined && this.isActivated ? DURABLE_BUDGET_MS : 300_000;
		const getPollBudgetMs = budgetMs === null ? undefined : () => budgetMs ?? usualMs;
		const isInMemory = snapshot === undefined && mode !== 'manual';
		if (isInMemory && this.memoryContext !== undefined)
			return Object.assign(this.memoryContext, { getPollBudgetMs });
		const context = new n8nCore.PollContext(
			workflow,
			node,
			await createAdditionalData({ [credentialId]: credential }),
			mode,
			'update',
			undefined,
			undefined,
			undefined,
			undefined,
			snapshot === undefined ? undefined : () => snapshot,
		);
		if (isInMemory) this.memoryContext = context;
		return Object.assign(context, { getPollBudgetMs });
	}
}

function plain(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}

/** Returns the `id` of each item. */
export function idsOf(items: readonly INodeExecutionData[] | null): string[] {
	return (items ?? []).map(({ json }) => String(json.id));
}

/**
 * Returns a function that creates a `Poller`. By default, its trigger watches changes of companies from now on, with a
 * v2 key of the sandbox.
 */
export function companyTrigger(bench: Bench) {
	const watched = { event: 'recordUpdated', objectType: 'company', startFrom: 'now' };
	return async (
		parameters: Record<string, unknown> = {},
		cursors: PollerOptions['cursors'] = 'memory',
		credential = bench.v2(),
	) => new Poller({ parameters: { ...watched, ...parameters }, credential, cursors });
}

/** Returns a function that creates a `Poller` like `companyTrigger`, and polls once to activate the trigger. */
export function startedTrigger(bench: Bench) {
	const trigger = companyTrigger(bench);
	return async (...settings: Parameters<typeof trigger>) => {
		const poller = await trigger(...settings);
		await poller.poll();
		return poller;
	};
}

/** Returns the messages that a poll logged, one per line. */
export function messagesOf(logs: readonly { message: string }[]): string {
	return logs.map(({ message }) => message).join('\n');
}
