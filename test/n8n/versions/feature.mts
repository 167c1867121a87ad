import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import type { Execution, RestClient } from '../rest.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import type { ScriptedModel } from '../scripted-model.mts';
import { chain, dataNode, manualTrigger } from '../workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../workflows.mts';

/** Enough for the node's hint about large outputs. */
export const companies = 50_050;
/** Three pages of 500. */
export const orders = 1_200;

/** Name of the node under test. */
export const nodeName = 'Workspace Data';

/** Id of a credential that holds a v2 key and says that it is a v1 token. */
export const otherKindId = 'otherKind';

/** What a feature is tried with. */
export interface Surroundings {
	client: RestClient;
	sandbox: Sandbox;
	model: ScriptedModel;
	/** Id of the stored Workspace Data credential. */
	credentialId: string;
	/** Id of a stored workflow. */
	idOf(workflow: RunnableWorkflow): string;
	/** Runs a workflow to its end, whatever that is. */
	run(workflow: RunnableWorkflow): Promise<Execution>;
	/** Starts a workflow and gives the execution's id at once. */
	start(workflow: RunnableWorkflow): Promise<string>;
	/** What the server sends the editor as a file, parsed; undefined where it has no such file. */
	readJson(path: string): Promise<unknown>;
	/** Everything that n8n has logged so far. */
	readLog(): Promise<string>;
	/** The editor's page in Chromium, signed in: always the same. */
	page: Page;
	/** Errors that the editor has put on the browser's console so far. */
	consoleErrors: readonly string[];
}

/** One row of the table. */
export interface Feature {
	/** As the table calls it. */
	name: string;
	/** n8n's part in it changed: an older n8n may do it differently, which the table then says. */
	mayDiffer?: true;
	/** Stored in n8n before anything is tried. */
	workflow?: RunnableWorkflow;
	/** Resolves with undefined when the feature works, else with what is different, in a few words. */
	attempt(surroundings: Surroundings): Promise<string | undefined>;
}

/** A workflow with one node of ours. */
export function workflowOf(
	name: string,
	parameters: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
): RunnableWorkflow {
	return chain(name, [manualTrigger(), dataNode(parameters, settings)]);
}

/** How an execution failed, in words; undefined for a success. */
export function failureOf({ status, error }: Execution): string | undefined {
	return status === 'success' ? undefined : `${status}: ${error?.message}`;
}

/** What is different in a successful execution, if anything. */
export type Check = (
	execution: Execution,
	surroundings: Surroundings,
) => string | undefined | Promise<string | undefined>;

/**
 * A feature whose workflow must succeed and whose items must be as expected.
 *
 * @param prepare what the service is told before
 */
export function runFeature(
	name: string,
	workflow: RunnableWorkflow,
	check: Check,
	prepare?: (sandbox: Sandbox) => void,
): Feature {
	return {
		name,
		workflow,
		attempt: async (surroundings) => {
			prepare?.(surroundings.sandbox);
			const execution = await surroundings.run(workflow);
			return failureOf(execution) ?? (await check(execution, surroundings));
		},
	};
}

/** Undefined when both are the same, else what was seen. */
export function differenceOf(seen: unknown, expected: unknown): string | undefined {
	return isDeepStrictEqual(seen, expected) ? undefined : JSON.stringify(seen);
}
