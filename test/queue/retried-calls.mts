import { setTimeout as wait } from 'node:timers/promises';
import type { Execution } from '../n8n/rest.mts';
import { chain, dataNode, webhook } from '../n8n/workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from '../n8n/workflows.mts';
import type { Sandbox } from '../sandbox/types.mts';
import type { Cluster } from './cluster.mts';

/** How long the node of `enrichCrashed` fails: until its next try. */
export const CRASHES_FOR_MS = 4_000;

/** Workflows that enrich the list in a request's body, in a node with n8n's Retry On Fail. */
export const retriedWorkflows = {
	/** Stops on errors, with all calls under way at once. */
	enrichRetried: retried('Enrich retried', 'enrich-retried', { maxConcurrent: 50 }),
	/** Stops on errors, and at the first refusal. */
	enrichRefused: retried('Enrich refused', 'enrich-refused', { maxWait: 0 }),
	/** The node itself fails at the 30th item, as long as the request says. */
	enrichCrashed: retried(
		'Enrich crashed',
		'enrich-crashed',
		{ maxConcurrent: 1 },
		{ waitBetweenTries: CRASHES_FOR_MS },
		{
			dataToSend: 'json',
			jsonBody:
				'={{ $itemIndex === 29 && Date.now() < $("Webhook").first().json.body.crashesUntil ? $("No such node").item : { domain: $json.domain } }}',
		},
	),
};

/** One of them. */
export type RetriedWorkflow = keyof typeof retriedWorkflows;

function retried(
	name: string,
	path: string,
	options: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
	data: Record<string, unknown> = { dataToSend: 'autoMapInputData' },
): RunnableWorkflow {
	return chain(name, [
		webhook(path, 'onReceived'),
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'body.companies', options: {} },
		},
		dataNode(
			{ resource: 'company', operation: 'enrich', ...data, options },
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 100, ...settings },
		),
	]);
}

/** How an execution of 50 billed calls ended. */
export interface FiftyCalls {
	execution: Execution;
	domains: string[];
	/** How often each reached the service. */
	arrivals: number[];
	/** Those that were processed, and so may have been billed, in order of their names. */
	processed: string[];
}

/**
 * Enriches 50 companies and waits until the execution has ended.
 *
 * @param name which workflow
 * @param workflowId its id in n8n
 */
export async function enrichFifty(
	{ url, client }: Cluster,
	sandbox: Sandbox,
	name: RetriedWorkflow,
	workflowId: string,
): Promise<FiftyCalls> {
	const domains = Array.from({ length: 50 }, (_, place) => `retried-${place}.example`);
	const known = new Set(await client.listExecutions(workflowId));
	const [{ parameters }] = retriedWorkflows[name].nodes;
	await fetch(`${url}/webhook/${String(parameters.path)}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({
			companies: domains.map((domain) => ({ domain })),
			crashesUntil: Date.now() + CRASHES_FOR_MS,
		}),
	});
	let id: string | undefined;
	while (id === undefined) {
		await wait(100);
		id = (await client.listExecutions(workflowId)).find((one) => !known.has(one));
	}
	const execution = await client.waitForExecution(id);
	const domainOf = (body: unknown): string => (body as { domain: string }).domain;
	const sent = sandbox.requests.map(({ body }) => domainOf(body));
	return {
		execution,
		domains,
		arrivals: domains.map((domain) => sent.filter((other) => other === domain).length),
		processed: sandbox.calls.enrich.map(domainOf).toSorted(),
	};
}
