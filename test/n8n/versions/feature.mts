import type { Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.mts';
import type { Execution, RestClient } from '../rest.mts';
import type { ScriptedModel } from '../scripted-model.mts';
import { chain, dataNode, manualTrigger } from '../workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../workflows.mts';

/** Number of orders in the sandbox: three pages of 500. */
export const orders = 1_200;

/** Name of the node under test. */
export const nodeName = 'Workspace Data';

/** Servers and helpers that a feature's test uses. */
export interface Surroundings {
	client: RestClient;
	sandbox: Sandbox;
	model: ScriptedModel;
	/** Id of the stored Workspace Data credential. */
	credentialId: string;
	/** Returns the id of a stored workflow. */
	idOf(workflow: RunnableWorkflow): string;
	/** Runs a workflow, and waits until the execution succeeds or fails. */
	run(workflow: RunnableWorkflow): Promise<Execution>;
	/** Starts a workflow, and returns the id of the execution without waiting for its end. */
	start(workflow: RunnableWorkflow): Promise<string>;
	/** Reads the log of n8n. */
	readLog(): Promise<string>;
	/** Page of n8n's editor in Chromium, signed in. All features use the same page. */
	page: Page;
	/** Errors on the browser's console so far. */
	consoleErrors: readonly string[];
}

/** Feature of this package: a row of the table in docs/compatibility.md. */
export interface Feature {
	/** Name of the feature in the table. */
	name: string;
	/** Whether the feature may work differently in older versions of n8n. The table shows the difference. */
	mayDiffer?: true;
	/** Workflow that is stored in n8n before the tests. */
	workflow?: RunnableWorkflow;
	/** Tests the feature. Throws an error that describes the difference, if there is one. */
	attempt(surroundings: Surroundings): Promise<void>;
}

/** Returns a workflow with one node of this package. */
export function workflowOf(
	name: string,
	parameters: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
): RunnableWorkflow {
	return chain(name, [manualTrigger(), dataNode(parameters, settings)]);
}

/**
 * Returns a feature that is tested by running a workflow, which must succeed.
 * @param check throws if the output is not as expected
 * @param prepare prepares the sandbox and the model before the run
 */
export function runFeature(
	name: string,
	workflow: RunnableWorkflow,
	check: (execution: Execution, surroundings: Surroundings) => void | Promise<void>,
	prepare?: (sandbox: Sandbox, model: ScriptedModel) => void,
): Feature {
	return {
		name,
		workflow,
		attempt: async (surroundings) => {
			prepare?.(surroundings.sandbox, surroundings.model);
			const execution = await surroundings.run(workflow);
			if (execution.error) throw new Error(execution.error.message);
			await check(execution, surroundings);
		},
	};
}
