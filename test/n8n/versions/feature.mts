import type { Page } from 'playwright-core';
import type { Sandbox } from '../../sandbox/server.mts';
import type { Execution, RestClient } from '../rest.mts';
import type { ScriptedModel } from '../scripted-model.mts';
import { chain, dataNode, manualTrigger } from '../workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../workflows.mts';

/** How many the sandbox holds: three pages of 500. */
export const orders = 1_200;

/** Name of the node under test. */
export const nodeName = 'Workspace Data';

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
	/** Throws what is different, where something is. */
	attempt(surroundings: Surroundings): Promise<void>;
}

/** A workflow with one node of ours. */
export function workflowOf(
	name: string,
	parameters: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
): RunnableWorkflow {
	return chain(name, [manualTrigger(), dataNode(parameters, settings)]);
}

/**
 * A feature whose workflow must succeed, and give what is expected.
 *
 * @param check throws where something else came out
 * @param prepare what the service and the model are told before
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
