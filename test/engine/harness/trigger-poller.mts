/** Polls the built trigger node in n8n-core's own poll context, with real HTTP and n8n's two ways to keep its state. */
import { randomUUID } from 'node:crypto';
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
import { createAdditionalData, WORKFLOW_ID } from './server.mts';

/** Full type name of the trigger node. */
const TRIGGER_TYPE = `${packageName}.workspaceDataTrigger`;

const CREDENTIAL_ID = 'credential-under-test';

/** What n8n needs to start again, in ms. */
const RESTART_MS = 30_000;

/** The trigger of one workflow, as n8n keeps it from activation on. */
export interface PollerOptions {
	/** The node's parameters. */
	parameters: Record<string, unknown>;
	/** Decrypted data of its credential. */
	credential: Record<string, unknown>;
	/**
	 * `memory`: n8n's default; changes live in memory and are saved with every emission and at the activation.
	 * `durable`: each poll gets a copy, which is committed with the emission or with a null, and not after a throw.
	 */
	cursors?: 'memory' | 'durable';
}

/** How one poll is made. */
export interface PollOptions {
	/** What n8n says that the poll may take, in ms; undefined as in old versions of n8n, which do not tell. */
	budgetMs?: number;
	/** `manual` is the editor's "Fetch Test Event". */
	mode?: 'trigger' | 'manual';
	/** n8n is killed before it has saved what the poll gave out. */
	crash?: boolean;
	/** n8n is still saving what the poll gave out: the next poll gets the state from before it. */
	isSavingSlow?: boolean;
	/** The poll of the activation: with durable cursors, n8n does not commit its null. */
	isActivation?: boolean;
}

/** A trigger that can be polled. */
export class Poller {
	private workflow: Workflow | undefined;
	private saved: IDataObject = {};
	/** An activation that ends in an error is none. */
	private isActivated = false;
	/** Ends the saving of a poll that was made with `isSavingSlow`. */
	finishSaving: () => void = () => undefined;
	/** Of the node, as a person may change it. */
	name = 'Trigger';
	/** The name of another trigger of the workflow, with the same id. */
	twin: string | undefined;
	/** The trigger that this one is a copy of, with its name: the original has another now. */
	original: Poller | undefined;
	readonly nodeId = randomUUID();
	private readonly options: PollerOptions;

	constructor(options: PollerOptions) {
		this.options = options;
	}

	/**
	 * Polls once. Gives the items, or null as the node did.
	 * @throws what the node throws
	 */
	async poll(options: PollOptions = {}) {
		await startRuntime();
		const isActivation = options.isActivation ?? !this.isActivated;
		const workflow = await this.load();
		const node = workflow.getNode(this.name) as INode;
		const isDurable = this.options.cursors === 'durable';
		const snapshot = structuredClone(this.saved[`node:${this.name}`] ?? {}) as IDataObject;
		const context = await this.context(workflow, node, options, isDurable ? snapshot : undefined);
		const { poll } = workflow.nodeTypes.getByNameAndVersion(node.type, 1);
		const logs: LogEntry[] = [];
		await workflow.expression.acquireIsolate();
		const output = await withLogs(logs, async () => (await poll?.call(context)) ?? null).finally(
			async () => await workflow.expression.releaseIsolate(),
		);
		this.isActivated = true;
		if (options.mode !== 'manual') {
			const save = (): void => {
				this.saved = JSON.parse(JSON.stringify(now)) as IDataObject;
			};
			const isSaved = output !== null || (isDurable ? !isActivation : isActivation);
			const now = isDurable ? { [`node:${this.name}`]: snapshot } : workflow.staticData;
			if (options.crash) this.restart(RESTART_MS);
			else if (isSaved && options.isSavingSlow) this.finishSaving = save;
			else if (isSaved) save();
		}
		return { items: output?.[0] ?? null, logs };
	}

	/** Polls until one gives nothing; returns the items of all. */
	async drain(options: PollOptions = {}): Promise<INodeExecutionData[]> {
		const all: INodeExecutionData[] = [];
		for (;;) {
			const { items } = await this.poll(options);
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
		if (tookMs > 0) setClockForward(tookMs);
	}

	/** What n8n would have stored: the node's part of the saved static data. */
	get stored(): IDataObject {
		return (this.saved[`node:${this.name}`] ?? {}) as IDataObject;
	}

	/** Replaces what is stored. */
	set stored(data: IDataObject) {
		this.saved = { [`node:${this.name}`]: data };
		this.restart();
	}

	private async load(): Promise<Workflow> {
		if (this.workflow) return this.workflow;
		const { nodeTypes } = await loadBuiltPackage();
		const others = [
			...(this.twin === undefined ? [] : [{ name: this.twin, id: this.nodeId }]),
			...(this.original === undefined ? [] : [{ name: 'Original', id: this.original.nodeId }]),
		];
		this.workflow = new n8nWorkflow.Workflow({
			id: WORKFLOW_ID,
			name: 'Trigger test',
			nodes: [{ name: this.name, id: this.nodeId }, ...others].map(({ id, name }) => ({
				id,
				name,
				type: TRIGGER_TYPE,
				typeVersion: 1,
				position: [0, 0],
				parameters: this.options.parameters as INode['parameters'],
				credentials: { workspaceDataApi: { id: CREDENTIAL_ID, name: 'Credential under test' } },
			})),
			connections: {},
			active: true,
			nodeTypes: createNodeTypes(nodeTypes),
			staticData: JSON.parse(JSON.stringify(this.saved)) as IDataObject,
		});
		return this.workflow;
	}

	private async context(
		workflow: Workflow,
		node: INode,
		{ budgetMs, mode = 'trigger' }: PollOptions,
		snapshot: IDataObject | undefined,
	) {
		const context = new n8nCore.PollContext(
			workflow,
			node,
			await createAdditionalData({ [CREDENTIAL_ID]: this.options.credential }),
			mode,
			'update',
			undefined,
			undefined,
			undefined,
			undefined,
			snapshot === undefined ? undefined : () => snapshot,
			() => budgetMs ?? 300_000,
		);
		if (budgetMs === undefined) Object.assign(context, { getPollBudgetMs: undefined });
		return context;
	}
}

/** Makes a trigger that can be polled. */
export async function createPoller(options: PollerOptions): Promise<Poller> {
	return await Promise.resolve(new Poller(options));
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
	) => await createPoller({ parameters: { ...watched, ...parameters }, credential, cursors });
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
