import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { sandboxCredentials, startSandbox } from '../../sandbox/server.mts';
import type { Sandbox, SandboxOptions } from '../../sandbox/types.mts';
import { closeHarness, runNode, type NodeRun, type RunOptions } from './harness.mts';

export type { Sandbox } from '../../sandbox/types.mts';
export { runNode, type NodeRun, type RunOptions, type WorkflowRun } from './harness.mts';

/** All secrets of the sandbox. Tests check that no output contains them. */
export const secretValues: string[] = Object.values(sandboxCredentials);

/** Sandbox of one test file, with functions that run the node and send its requests to this sandbox. */
export type Bench = ReturnType<typeof useSandbox>;

/**
 * Starts a sandbox before the tests of a file, and stops it after them. Before each test, clears the request log and
 * the faults, and resets quirks and latency. Keeps the records.
 */
export function useSandbox(options: SandboxOptions = {}) {
	let running: Sandbox | undefined;
	type Credential = Record<string, unknown>;
	/** Runs the node, by default with a v2 key that has Full access. Fails the test if the result contains a secret. */
	const run = async (
		parameters: RunOptions['parameters'],
		more: Partial<RunOptions> = {},
	): Promise<NodeRun> => {
		const done = await runNode({ parameters, credential: bench.v2(), ...more });
		expectNoSecret(done);
		return done;
	};
	const bench = {
		/** Running sandbox. Throws outside of tests. */
		get sandbox(): Sandbox {
			if (running === undefined) throw new Error('The sandbox runs only while tests run.');
			return running;
		},
		/** Returns a v2 credential. By default, its key has Full access. */
		v2: (apiKey = sandboxCredentials.v2Full): Credential => ({
			baseUrl: bench.sandbox.url,
			apiVersion: 'v2',
			apiKey,
		}),
		/** Returns a v1 credential. By default, its token has all scopes. */
		v1: (accessToken = sandboxCredentials.v1AllScopes, workspaceCode = ''): Credential => ({
			baseUrl: bench.sandbox.url,
			apiVersion: 'v1',
			accessToken,
			workspaceCode,
		}),
		run,
		/** Runs the node like `run`, and fails the test if the node fails. */
		async succeed(...parameters: Parameters<typeof run>): Promise<NodeRun> {
			const done = await run(...parameters);
			expect(done.error?.message).toBeUndefined();
			return done;
		},
	};
	beforeAll(async () => {
		running = await startSandbox(options);
	});
	beforeEach(() => {
		bench.sandbox.clearRequests();
		bench.sandbox.clearFaults();
		bench.sandbox.setQuirks(options.quirks ?? {});
		bench.sandbox.setLatency(options.latencyMs ?? 0);
	});
	afterAll(async () => {
		await running?.stop();
		await closeHarness();
	});
	return bench;
}

/** Returns the `json` of each item in the node's first output. */
export function jsonOf(run: NodeRun): Array<Record<string, unknown>> {
	return (run.outputs[0] ?? []).map((item) => item.json);
}

/** Returns the texts of the hints that n8n shows below the output of a node. */
export function hintsOf({ hints }: Pick<NodeRun, 'hints'>): string[] {
	return hints.map(({ message }) => message);
}

/** Returns the `id` of each output item. */
export function idsOf(run: NodeRun): string[] {
	return jsonOf(run).map((json) => String(json.id));
}

/**
 * Checks that no output, error, hint or log entry contains a credential value. Called after every run of every test.
 */
function expectNoSecret({ run, error, hints, logs }: NodeRun): void {
	const everything = JSON.stringify({ run, error, hints, logs }, (_key, value: unknown) =>
		typeof value === 'bigint' ? String(value) : value,
	);
	for (const secret of secretValues) {
		expect(everything.includes(secret), 'a credential value was shown').toBe(false);
	}
}
