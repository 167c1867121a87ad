/** A real n8n whose trigger polls every few seconds, that can be killed, and what its executions were given. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { sandboxCredentials } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/types.mts';
import { sandboxCredentialFile } from './imports.mts';
import { createTestRuntime } from './n8n-under-test.mts';
import { waitUntil } from './poll.mts';
import { storeAll } from './rest-setup.mts';
import { signIn } from './rest.mts';
import type { RestClient } from './rest.mts';
import type { Runtime } from './runtime.mts';
import { startServer } from './server.mts';
import type { N8nServer } from './server.mts';
import { chain, pollingTrigger } from './workflows.mts';

const trigger = pollingTrigger();

/** What durable cursors need, with times short enough for a test. */
const durableSettings = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	N8N_SCHEDULER_REAPER_INTERVAL: '3',
	N8N_SCHEDULER_LEASE_DURATION: '20',
	N8N_SCHEDULER_POLL_TIMEOUT: '15',
};

/** How n8n keeps a trigger's state. */
export type Cursors = 'memory' | 'durable';

/** One record version that an execution was started with. */
export interface Delivery {
	/** `id` and `updated_at`. */
	version: string;
	executionId: string;
}

interface ExecutionAnswer {
	id: string;
	status: string;
	data: string;
}

interface ExecutionData {
	resultData?: { runData?: Record<string, { data?: { main?: ({ json: Json }[] | null)[] } }[]> };
	executionData?: { nodeExecutionStack?: { data?: { main?: ({ json: Json }[] | null)[] } }[] };
}

type Json = Record<string, unknown>;

/** A real n8n with one workflow that starts with the trigger. */
export class LiveTrigger {
	private server: N8nServer | undefined;
	private connected: RestClient | undefined;
	private readonly runtime: Runtime;
	private readonly sandbox: Sandbox;
	private readonly environment: Record<string, string>;
	private readonly workflow = chain('Trigger under test', [
		trigger,
		{ name: 'Arrived', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
	]);

	private constructor(runtime: Runtime, sandbox: Sandbox, cursors: Cursors) {
		this.runtime = runtime;
		this.sandbox = sandbox;
		this.environment = cursors === 'durable' ? durableSettings : {};
	}

	/** Sets up a fresh n8n with the package and the workflow, and starts it. The workflow is not active yet. */
	static async start(sandbox: Sandbox, cursors: Cursors): Promise<LiveTrigger> {
		const runtime = await createTestRuntime(`trigger-${cursors}`);
		const live = new LiveTrigger(runtime, sandbox, cursors);
		await live.boot();
		const credential = sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full);
		await storeAll(live.client, [credential], [live.workflow]);
		return live;
	}

	/**
	 * Starts n8n, again after `kill`, and once more where it ends in its own recovery, as a container's restart policy does:
	 * n8n 2.41 fails to recover an execution that was killed before its start was noted, and skips it the next time.
	 */
	async boot(): Promise<void> {
		try {
			await this.launch();
		} catch (error) {
			if (!(error instanceof Error && error.message.includes('ExecutionRecoveryService')))
				throw error;
			console.log('n8n ended in its own recovery, and was started again');
			await this.launch();
		}
	}

	/** Starts n8n and signs in. Throws with the end of its log where it ended before its start was complete. */
	private async launch(): Promise<void> {
		const server = await startServer(this.runtime, { environment: this.environment });
		this.server = server;
		let hasEnded = false;
		void server.ended.then(() => (hasEnded = true));
		// It answers before it has looked at what was under way when it was killed.
		const isOver = async (): Promise<boolean> =>
			hasEnded || (await readFile(server.logFile, 'utf8')).includes('Editor is now accessible');
		await waitUntil('the end of the start', isOver, 60_000);
		if (hasEnded) throw new Error(`n8n ended while starting:\n${await server.lastLogLines()}`);
		this.connected = await signIn(server.url, this.runtime);
	}

	/** Ends n8n and all its processes at once, without any warning. */
	async kill(): Promise<void> {
		if (this.server === undefined) return;
		process.kill(-this.server.processId, 'SIGKILL');
		await this.server.ended;
	}

	/** Stops n8n in order. */
	async stop(): Promise<void> {
		await this.server?.stop();
	}

	/** Publishes the workflow. */
	async activate(): Promise<void> {
		await this.client.activate(this.workflow.id);
	}

	/** Switches the workflow off: nothing is polled any more. */
	async deactivate(): Promise<void> {
		await this.client.deactivate(this.workflow.id);
	}

	/** Runs the trigger as "Fetch Test Event" and "Execute workflow" in the editor do; returns what it gave. */
	async fetchTestEvent(): Promise<Json[]> {
		const { runs } = await this.client.runWorkflow(this.workflow.id, trigger.name);
		return (runs[trigger.name] ?? []).flatMap(({ data }) =>
			(data?.main?.[0] ?? []).map(({ json }) => json),
		);
	}

	/** What n8n has stored for the workflow's triggers in memory mode; null for nothing. */
	async storedState(): Promise<unknown> {
		const { staticData } = await this.client.request<{ staticData?: unknown }>(
			'GET',
			`/workflows/${this.workflow.id}`,
		);
		return staticData ?? null;
	}

	/** Ids of the executions so far, newest first. */
	async executions(): Promise<string[]> {
		return await this.client.listExecutions(this.workflow.id);
	}

	/** Every record version that any execution was started with, also those that n8n's end cut short. */
	async deliveries(): Promise<Delivery[]> {
		const ids = await this.executions();
		const all: Delivery[] = [];
		for (const executionId of ids.toReversed()) {
			const answer = await this.client.request<ExecutionAnswer>(
				'GET',
				`/executions/${executionId}`,
			);
			for (const json of this.itemsOf(answer)) {
				all.push({ version: `${String(json.id)} ${String(json.updated_at)}`, executionId });
			}
		}
		return all;
	}

	/** Waits until so many polls have begun and ended from now on: requests with a pause before and after them. */
	async waitForPolls(howMany: number, timeoutMs = 120_000): Promise<void> {
		const pauseBetweenMs = 1_500;
		const from = Date.now();
		await waitUntil(
			`${howMany} polls`,
			() => {
				const times = this.sandbox.requests.map(({ at }) => at).filter((at) => at >= from);
				const isEnd = (at: number, place: number): boolean =>
					(times[place + 1] ?? Date.now()) - at > pauseBetweenMs;
				return times.filter(isEnd).length >= howMany;
			},
			timeoutMs,
		);
	}

	private get client(): RestClient {
		if (this.connected === undefined) throw new Error('n8n is not running');
		return this.connected;
	}

	private itemsOf({ data }: ExecutionAnswer): Json[] {
		const require = createRequire(
			path.join(this.runtime.serverFolder, 'node_modules/n8n/package.json'),
		);
		const { parse } = require('flatted') as { parse: (text: string) => ExecutionData };
		const { resultData, executionData } = parse(data);
		const [run] = resultData?.runData?.[trigger.name] ?? [];
		// An execution that n8n's end cut short has only what it was to start with.
		const start = run ?? executionData?.nodeExecutionStack?.[0];
		return (start?.data?.main?.[0] ?? []).map(({ json }) => json);
	}
}
