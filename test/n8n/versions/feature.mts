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

/** Servers and helpers for testing a feature. */
export interface Surroundings {
	client: RestClient;
	sandbox: Sandbox;
	model: ScriptedModel;
	/** Id of the stored Workspace Data credential. */
	credentialId: string;
	/** Returns the id of a stored workflow. */
	idOf(workflow: RunnableWorkflow): string;
	/** Runs a workflow to its end, whether it succeeds or fails. */
	run(workflow: RunnableWorkflow): Promise<Execution>;
	/** Starts a workflow. Returns the execution's id at once. */
	start(workflow: RunnableWorkflow): Promise<string>;
	/** Reads the log of n8n. */
	readLog(): Promise<string>;
	/** Page of the editor in Chromium, signed in. All features share the page. */
	page: Page;
	/** Errors that the editor has written to the browser's console so far. */
	consoleErrors: readonly string[];
}

/** Row of the table. */
export interface Feature {
	/** Name in the table. */
	name: string;
	/**
	 * Whether older versions of n8n may behave differently, because n8n's part of the feature changed. The table then
	 * shows the difference.
	 */
	mayDiffer?: true;
	/** Workflow to store in n8n before the first feature is tested. */
	workflow?: RunnableWorkflow;
	/** Tests the feature. Throws the difference, if there is one. */
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
 * Returns a feature whose workflow must succeed with the expected output.
 * @param check throws if the output is different
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
