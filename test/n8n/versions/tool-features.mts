import { agentName, agentWorkflow, fromModel } from '../ai-workflow.mts';
import { itemsOf } from '../rest.mts';
import { differenceOf, failureOf, type Feature } from './feature.mts';

/** The newest version of the agent that the oldest n8n here has. */
const agentVersion = 3;

const list = agentWorkflow(
	'Agent',
	{
		resource: 'order',
		operation: 'getAll',
		limit: fromModel('limit', 'How many', 'number'),
	},
	{},
	agentVersion,
);

const fill = agentWorkflow(
	'Agent fills rows',
	{
		resource: 'company',
		operation: 'enrich',
		fields: {
			values: [
				{ name: 'domain', value: fromModel('domain', 'Domain of the company') },
				{ name: 'employees', value: fromModel('employees', 'How many', 'number') },
			],
		},
	},
	{},
	agentVersion,
);

/** The node in the hands of an AI agent. */
export const toolFeatures: Feature[] = [
	{
		name: 'Tool of the AI Agent',
		workflow: list,
		attempt: async ({ run, model }) => {
			model.follow((request, turn) =>
				turn === 1
					? { callTool: { limit: 2 } }
					: {
							say: `${(JSON.parse(String(request.messages.at(-1)?.content)) as unknown[]).length} orders`,
						},
			);
			const execution = await run(list);
			const description = model.requests[0]?.tools[0]?.description;
			if (description !== 'Get many orders in Workspace Data')
				return `described as "${description}"`;
			const output = itemsOf(execution, agentName)[0]?.json.output;
			return failureOf(execution) ?? (output === '2 orders' ? undefined : `says ${String(output)}`);
		},
	},
	{
		name: 'Tool of the AI Agent: a model fills two rows of Fields to Send',
		workflow: fill,
		attempt: async ({ run, model, sandbox }) => {
			const sent = { domain: 'acme.example', employees: 12 };
			model.follow((_request, turn) => (turn === 1 ? { callTool: sent } : { say: 'Done.' }));
			const execution = await run(fill);
			return failureOf(execution) ?? differenceOf(sandbox.calls.enrich, [sent]);
		},
	},
];
