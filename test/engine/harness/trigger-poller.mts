/** Polls the built trigger node in n8n-core's own poll context, with real HTTP and n8n's two ways to keep its state. */
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
/** What n8n's settings give to a poll that is due, where cursors are durable. */
const DURABLE_BUDGET_MS = 36_000;

/** A trigger node, as its workflow has it. */
interface PollerOptions {
	/** The node's parameters. */
	parameters: Record<string, unknown>;
	/** Decrypted data of its credential, and the id of that. */
	credential: Record<string, unknown>;
	credentialId?: string;
	/**
	 * `memory`: n8n's default; changes live in memory, and all of the workflow's are saved with every emission and at the
	 * activation. `durable`: each poll gets a copy, which is committed with the emission or with a null, and not after a throw.
	 */
	cursors?: 'memory' | 'durable';
}

/** What n8n's database holds of the triggers of one workflow. */
class Stored {
	readonly workflowId = randomUUID();
	staticData: IDataObject = {};
	cursors: Record<string, IDataObject> = {};
}

/** How one poll is made. */
interface PollOptions {
	/** What n8n says that the poll may take, in ms; `null` as in old versions of n8n, which do not tell. */
	budgetMs?: number | null;
	/** `manual` is the editor's "Fetch Test Event". */
	mode?: 'trigger' | 'manual';
	/** n8n is still saving what the poll gave out: the next poll gets the state from before it. */
	isSavingSlow?: boolean;
}

/** A trigger that can be polled. */
class Poller {
	private workflow: Workflow | undefined;
	/** That of all polls of an activation, where n8n keeps changes in memory. */
	private memoryContext: PollContext | undefined;
	/** An activation that ends in an error is none. */
	private isActivated = false;
	/** Ends the saving of a poll that was made with `isSavingSlow`. */
	finishSaving: () => void = () => undefined;
	/** The name of another trigger of the workflow, with the same id. */
	sameId: string | undefined;
	private readonly options: PollerOptions;
	private readonly database: Stored;
	/** A person may change it. */
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

	/** The same node, published with a change. */
	edited({ parameters, ...others }: Partial<PollerOptions>): Poller {
		const all = { ...this.options.parameters, ...parameters };
		const options = { ...this.options, ...others, parameters: all };
		return new Poller(options, this.database, this.name, this.nodeId);
	}

	/** The same node in a copy of the workflow, such as an import makes: the node's ID is the same. */
	inCopiedWorkflow(): Poller {
		return new Poller(this.options, new Stored(), this.name, this.nodeId);
	}

	/** Another trigger of the workflow, which was published by itself. */
	beside(name: string, parameters: Record<string, unknown> = {}): Poller {
		const all = { ...this.options.parameters, ...parameters };
		return new Poller({ ...this.options, parameters: all }, this.database, name);
	}

	/**
	 * Polls once. Gives the items, or null as the node did.
	 * @throws what the node throws
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
				// n8n tries to activate it once more, with another context.
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

	/** Polls until one gives nothing; returns the items of all. */
	async drain(): Promise<INodeExecutionData[]> {
		const all: INodeExecutionData[] = [];
		for (;;) {
			const { items } = await this.poll();
			if (items === null) return all;
			all.push(...items);
		}
	}

	/**
	 * n8n ends, however, and starts again: what was not saved is gone.
	 *
	 * @param tookMs time that passes meanwhile; the clock of this process is set forward by it
	 */
	restart(tookMs = 0): void {
		this.workflow = undefined;
		this.memoryContext = undefined;
		if (this.options.cursors !== 'durable') this.isActivated = false;
		if (tookMs > 0) setClockForward(tookMs);
	}

	/** The state of this node that n8n would have stored under its name. */
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
		// A poll that is due has a time of its own where cursors are durable.
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

/** The `id` of each item. */
export function idsOf(items: readonly INodeExecutionData[] | null): string[] {
	return (items ?? []).map(({ json }) => String(json.id));
}

/** Makes pollers of a trigger that watches companies from now on, with the bench's credential. */
export function companyTrigger(bench: Bench) {
	const watched = { event: 'recordUpdated', objectType: 'company', startFrom: 'now' };
	return async (
		parameters: Record<string, unknown> = {},
		cursors: PollerOptions['cursors'] = 'memory',
		credential = bench.v2(),
	) => new Poller({ parameters: { ...watched, ...parameters }, credential, cursors });
}

/** Makes such pollers that have polled once. */
export function startedTrigger(bench: Bench) {
	const trigger = companyTrigger(bench);
	return async (...settings: Parameters<typeof trigger>) => {
		const poller = await trigger(...settings);
		await poller.poll();
		return poller;
	};
}

/** What a poll logged, one message per line. */
export function messagesOf(logs: readonly { message: string }[]): string {
	return logs.map(({ message }) => message).join('\n');
}
