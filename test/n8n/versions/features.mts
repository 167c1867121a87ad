import { setTimeout as wait } from 'node:timers/promises';
import { agentName, agentWorkflow } from '../ai-workflow.mts';
import { itemsOf } from '../rest.mts';
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

/** What a feature is tried with. */
export interface Surroundings {
	client: RestClient;
	sandbox: Sandbox;
	model: ScriptedModel;
	/** Id of the stored Workspace Data credential. */
	credentialId: string;
	/** Runs a workflow to its end, whatever that is. */
	run(workflow: RunnableWorkflow): Promise<Execution>;
	/** Starts a workflow and gives the execution's id at once. */
	start(workflow: RunnableWorkflow): Promise<string>;
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

function failureOf({ status, error }: Execution): string | undefined {
	return status === 'success' ? undefined : `${status}: ${error?.message}`;
}

/** What is different in a successful execution, if anything. */
type Check = (execution: Execution, surroundings: Surroundings) => string | undefined;

/** A feature whose workflow must succeed and whose items must be as expected. */
export function runFeature(name: string, workflow: RunnableWorkflow, check: Check): Feature {
	return {
		name,
		workflow,
		attempt: async (surroundings) => {
			const execution = await surroundings.run(workflow);
			return failureOf(execution) ?? check(execution, surroundings);
		},
	};
}

const orderList = { resource: 'order', operation: 'getAll' };
const enrichment = {
	resource: 'company',
	operation: 'enrich',
	fields: {
		assignments: [{ id: '1', name: 'domain', type: 'string', value: 'acme.example' }],
	},
};

function countIs(expected: number): (execution: Execution) => string | undefined {
	return (execution) => {
		const ids = new Set(itemsOf(execution, nodeName).map(({ json }) => json.id));
		return ids.size === expected ? undefined : `${ids.size} records`;
	};
}

const credentialTest: Feature = {
	name: 'Credential test: a good key passes, a refused one fails',
	attempt: async ({ client, sandbox, credentialId }) => {
		const good = await client.testCredential(credentialId);
		if (good.status !== 'OK') return good.message;
		sandbox.addFault({ status: 403 });
		const { status } = await client.testCredential(credentialId);
		return status === 'Error' ? undefined : 'a refused key passes';
	},
};

const credentialWords: Feature = {
	name: 'Credential test: says what to do',
	mayDiffer: true,
	attempt: async ({ client, sandbox, credentialId }) => {
		sandbox.addFault({ status: 403 });
		const { message } = await client.testCredential(credentialId);
		return message.includes('knows this key or token but refuses it')
			? undefined
			: `n8n's own words ("${message}")`;
	},
};

/** Lists whose second page fails, with what was read before it. */
function brokenList(name: string, onError: WorkflowNode['onError'], check: Check): Feature {
	const options = { pageSize: 500, maxRetries: 0 };
	const workflow = workflowOf(
		onError ?? '',
		{ ...orderList, returnAll: true, options },
		{ onError },
	);
	const feature = runFeature(name, workflow, check);
	return {
		...feature,
		attempt: (surroundings) => {
			surroundings.sandbox.addFault({ skip: 1, times: Infinity, status: 503 });
			return feature.attempt(surroundings);
		},
	};
}

/** The records read before the failure are at the first output, and the one error is where it belongs. */
function errorIsAt(output: number): Check {
	return (execution) => {
		const records = itemsOf(execution, nodeName).filter(({ json }) => 'id' in json);
		const [error, ...others] = itemsOf(execution, nodeName, output).filter(
			({ json }) => !('id' in json),
		);
		if (records.length !== 500) return `${records.length} records at the first output`;
		if (error === undefined || others.length > 0) return `no error at output ${output + 1}`;
		const { error: happened, message, details } = error.json;
		const isWhole = typeof happened === 'string' && String(message).includes('500 records');
		const { recordsRead } = (details ?? {}) as Record<string, unknown>;
		return isWhole && recordsRead === 500
			? undefined
			: `the error is ${JSON.stringify(error.json)}`;
	};
}

/** Items without a Code node: n8n 1.123 finds nothing in those by expressions such as `$("Items").item`. */
function splitItems(list: Record<string, unknown>[]): WorkflowNode[] {
	const jsonOutput = JSON.stringify({ list });
	return [
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput, options: {} },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'list', options: {} },
		},
	];
}

/** Three calls of which the second fails, with a node at the error output that says what it can see of the error. */
function brokenCall(): RunnableWorkflow {
	const value = '={{ $json.details.httpCode }} {{ $json.message }} {{ $("Items").item.json.note }}';
	const workflow = chain('Error output', [
		manualTrigger(),
		...splitItems([{ domain: 'a.example' }, { note: 'no subject' }, { domain: 'c.example' }]),
		dataNode(
			{ resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' },
			{ onError: 'continueErrorOutput' },
		),
		{
			name: 'Handle',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				assignments: { assignments: [{ id: 'seen', name: 'seen', type: 'string', value }] },
				options: {},
			},
		},
	]);
	const toHandle = [{ node: 'Handle', type: 'main', index: 0 }];
	workflow.connections[nodeName] = { main: [[], toHandle] };
	return workflow;
}

const continued = brokenList(
	'On Error "Continue": records kept, error after them',
	'continueRegularOutput',
	errorIsAt(0),
);
const errorOutput = brokenList(
	'On Error "Continue (using error output)"',
	'continueErrorOutput',
	errorIsAt(1),
);
const errorOfCall = runFeature(
	'Error output: paired with its input, details in expressions',
	brokenCall(),
	(execution) => {
		const domains = itemsOf(execution, nodeName).map(({ json }) => json.domain);
		if (domains.join() !== 'a.example,c.example') return `first output: ${domains.join()}`;
		const texts = itemsOf(execution, 'Handle').map(({ json }) => String(json.seen));
		const isRight = /^422 .*Send at least one of id, domain and name.* no subject$/s;
		return texts.length === 1 && isRight.test(texts[0]) ? undefined : `seen: ${texts.join()}`;
	},
);

const agent = agentWorkflow(
	'Agent',
	{ ...orderList, limit: "={{ $fromAI('limit', 'How many', 'number') }}" },
	{ agentVersion: 3 },
);
const aiTool: Feature = {
	name: 'Tool of the AI Agent',
	workflow: agent,
	attempt: async ({ run, model }) => {
		model.follow((request, turn) =>
			turn === 1
				? { callTool: { limit: 2 } }
				: {
						say: `${(JSON.parse(String(request.messages.at(-1)?.content)) as unknown[]).length} orders`,
					},
		);
		const execution = await run(agent);
		const description = model.requests[0]?.tools[0]?.description;
		if (description !== 'Get many orders in Workspace Data') return `described as "${description}"`;
		const output = itemsOf(execution, agentName)[0]?.json.output;
		return failureOf(execution) ?? (output === '2 orders' ? undefined : `says ${String(output)}`);
	},
};

const waiting = workflowOf('Cancel', { ...orderList, options: { pageSize: 10 } });
const cancel: Feature = {
	name: 'Cancel in the middle of a wait',
	workflow: waiting,
	attempt: async ({ client, sandbox, start }) => {
		sandbox.addFault({ times: Infinity, status: 429, headers: { 'retry-after': '5' } });
		const executionId = await start(waiting);
		while (sandbox.requests.length === 0) await wait(20);
		await client.request('POST', `/executions/${executionId}/stop`);
		await wait(6_000);
		if (sandbox.requests.length > 1) return 'a request after the cancel';
		const { status } = await client.waitForExecution(executionId, 5_000);
		return status === 'canceled' ? undefined : status;
	},
};

const hint = runFeature(
	'Hint after more than 50,000 items',
	workflowOf('Hints', {
		resource: 'company',
		operation: 'getAll',
		returnAll: true,
		options: { pageSize: 10_000, fields: 'id' },
	}),
	(execution) => {
		const [run] = execution.runs[nodeName] as { hints?: unknown[] }[];
		return run?.hints?.length ? undefined : 'not shown';
	},
);

/** What does not depend on how the panel asks. */
export const features: Feature[] = [
	credentialTest,
	credentialWords,
	runFeature(
		'List: everything, over several pages',
		workflowOf('List', { ...orderList, returnAll: true, options: { pageSize: 500 } }),
		countIs(orders),
	),
	runFeature(
		'Limit: exactly so many records',
		workflowOf('Limit', { ...orderList, limit: 137, options: { pageSize: 50 } }),
		countIs(137),
	),
	runFeature('Call: enrich a company', workflowOf('Call', enrichment), (execution, { sandbox }) =>
		itemsOf(execution, nodeName)[0]?.json.domain === 'acme.example' &&
		sandbox.calls.enrich.length === 1
			? undefined
			: 'wrong result',
	),
	continued,
	errorOutput,
	errorOfCall,
	runFeature(
		'NDJSON files',
		workflowOf('Files', {
			...orderList,
			returnAll: true,
			outputAs: 'ndjson',
			options: { recordsPerFile: 500 },
		}),
		(execution) => {
			const files = itemsOf(execution, nodeName);
			const records = files.map(({ json, binary }) => (binary ? Number(json.records) : 0));
			return records.join() === '500,500,200' ? undefined : `files of ${records.join()} records`;
		},
	),
	aiTool,
	hint,
	cancel,
];
