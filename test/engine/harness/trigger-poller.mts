/**
 * Polls the built trigger node in n8n-core's own poll context, with real HTTP, and with n8n's two ways of keeping its
 * state.
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
/** Time budget (ms) that n8n's settings give to a scheduled poll with durable cursors. */
const DURABLE_BUDGET_MS = 36_000;

/** Trigger node, as in its workflow. */
interface PollerOptions {
	/** Parameters of the node. */
	parameters: Record<string, unknown>;
	/** Decrypted data of the node's credential, and the id of the credential. */
	credential: Record<string, unknown>;
	credentialId?: string;
	/**
	 * n8n's way of keeping the state. `memory` is n8n's default: the state lives in memory, and n8n saves the states of
	 * the whole workflow whenever a trigger returns items, and at the activation. `durable`: each poll gets a copy of
	 * the state, which n8n saves when the poll returns items or null, but not after an error.
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
	/** Whether n8n saves the poll's result slowly, so that the next poll still gets the previous state. */
	isSavingSlow?: boolean;
}

/** Trigger that can be polled. */
class Poller {
	private workflow: Workflow | undefined;
	/** Context that all polls of an activation share if n8n keeps the state in memory. */
	private memoryContext: PollContext | undefined;
	/** Whether an activation has succeeded. */
	private isActivated = false;
	/** Saves the result of a poll that was made with `isSavingSlow`. */
	finishSaving: () => void = () => undefined;
	/** Name of another trigger in the workflow with the same id. */
	sameId: string | undefined;
	private readonly options: PollerOptions;
	private readonly database: Stored;
	/** Name of the node, which a user may change. */
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

	/** Returns the same node after a change of its options is published. */
	edited({ parameters, ...others }: Partial<PollerOptions>): Poller {
		const all = { ...this.options.parameters, ...parameters };
		const options = { ...this.options, ...others, parameters: all };
		return new Poller(options, this.database, this.name, this.nodeId);
	}

	/** Returns the same node in a copy of the workflow. An import, for example, keeps the node's ID. */
	inCopiedWorkflow(): Poller {
		return new Poller(this.options, new Stored(), this.name, this.nodeId);
	}

	/** Returns another trigger of the workflow, published on its own. */
	beside(name: string, parameters: Record<string, unknown> = {}): Poller {
		const all = { ...this.options.parameters, ...parameters };
		return new Poller({ ...this.options, parameters: all }, this.database, name);
	}

	/**
	 * Polls once. Returns the items, or null if the node returned null.
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
				// n8n tries to activate the trigger again, with a new context.
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
	 * Stops n8n abruptly and starts it again. State that was not saved is lost.
	 * @param tookMs time that passes meanwhile. The clock of this process is set forward by this time.
	 */
	restart(tookMs = 0): void {
		this.workflow = undefined;
		this.memoryContext = undefined;
		if (this.options.cursors !== 'durable') this.isActivated = false;
		if (tookMs > 0) setClockForward(tookMs);
	}

	/** State of this node that n8n would have stored under its name. */
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
		// A scheduled poll has a smaller budget if cursors are durable.
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

/** Returns a function that makes pollers for companies that change from now on, with the bench's credential. */
export function companyTrigger(bench: Bench) {
	const watched = { event: 'recordUpdated', objectType: 'company', startFrom: 'now' };
	return async (
		parameters: Record<string, unknown> = {},
		cursors: PollerOptions['cursors'] = 'memory',
		credential = bench.v2(),
	) => new Poller({ parameters: { ...watched, ...parameters }, credential, cursors });
}

/** Returns a function that makes the same pollers and polls once. */
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
