import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
	agentName,
	agentWorkflow,
	fromModel,
	modelCredentialFile,
	toolName,
} from './ai-workflow.mts';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { domainsOf } from './service.mts';
import { startScriptedModel } from './scripted-model.mts';
import type { ModelRequest, ScriptedModel } from './scripted-model.mts';
import type { WorkflowNode } from './workflows.mts';

const domain = { name: 'domain', value: fromModel('domain', 'Domain of the company') };
const employees = { name: 'employees', value: fromModel('employees', 'How many', 'number') };
const enriches = (name: string, settings: Partial<WorkflowNode> = {}, agentVersion?: number) =>
	agentWorkflow(
		name,
		{
			resource: 'company',
			operation: 'enrich',
			dataToSend: 'defineBelow',
			fields: { values: [domain, employees] },
		},
		settings,
		agentVersion,
	);
const retries: Partial<WorkflowNode> = {
	onError: 'stopWorkflow',
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 10,
};
const workflows = {
	enrich: enriches('Agent default'),
	continuing: enriches('Agent continues', { onError: 'continueRegularOutput' }),
	stopping: enriches('Agent stops', { onError: 'stopWorkflow' }),
	// n8n itself runs the tools of newer agents (here version 3.1). Older agents (here version 2.2) run their tools
	// themselves.
	retriedByN8n: enriches('Agent 3.1 retries', retries),
	retriedByAgent: enriches('Agent 2.2 retries', retries, 2.2),
};

let model: ScriptedModel;

beforeAll(async () => void (model = await startScriptedModel()));
afterAll(async () => await model?.stop());

const lab = useLab({
	name: 'ai-tool',
	sandbox: { companies: 200 },
	credentials: () => [modelCredentialFile(model.url)],
	workflows: () => Object.values(workflows),
});

/** Makes the scripted model call the tool once with each set of arguments, and then answer with text. */
function callWith(...calls: Array<Record<string, unknown>>): void {
	model.follow((_request, turn) =>
		turn <= calls.length ? { callTool: calls[turn - 1] } : { say: 'Done.' },
	);
}

/** Returns the output of a tool call, which is the last message in the next request to the model. */
function toolResult(request: ModelRequest | undefined): Record<string, unknown>[] {
	const message = request?.messages.at(-1);
	expect(message?.role).toBe('tool');
	return JSON.parse(String(message?.content)) as Record<string, unknown>[];
}

const succeed = async (name: keyof typeof workflows) => await lab.succeed(workflows[name]);
const acme = { domain: 'acme.example', employees: 10 };
const unknown = { domain: 'unknown.example', employees: 10 };

test("describes the tool to the model, and sends the model's values to the service with their types", async () => {
	const company = { domain: 'acme.example', employees: 250 };
	model.follow((request, turn) =>
		turn === 1
			? { callTool: company }
			: { say: `It has ${String(toolResult(request)[0].employees)} employees.` },
	);
	const execution = await succeed('enrich');

	expect(model.requests[0].tools).toMatchObject([
		{
			name: 'Workspace_Data',
			description: 'Enrich company (may be billed) in Workspace Data',
			parameters: {
				properties: {
					domain: { type: 'string', description: 'Domain of the company' },
					employees: { type: 'number', description: 'How many' },
				},
				required: ['domain', 'employees'],
			},
		},
	]);
	expect(lab.sandbox.calls.enrich).toEqual([company]);
	const [result] = toolResult(model.requests[1]);
	expect(result).toMatchObject({ domain: company.domain, employees: expect.any(Number) });
	const [answer] = itemsOf(execution, agentName);
	expect(answer.json.output).toBe(`It has ${String(result.employees)} employees.`);
});

describe('a tool call that fails', () => {
	/**
	 * Error message with the reason and the fix. It must contain both, because n8n passes only the message to a model.
	 */
	const reasonAndFix = expect.stringMatching(
		/^The service refused the request \(HTTP 4\d\d\): "No company is known at this domain\." Check the fields to send against the message of the service\./,
	);

	beforeEach(() => {
		const error = { code: 'unprocessable', message: 'No company is known at this domain.' };
		const body = { success: false, error, meta: { ctx_id: 'ctx_agent' } };
		lab.sandbox.addFault({ path: '/v2/enrich', status: 422, body });
	});

	test('tells the model why a call failed if On Error is "Continue", and sends the next call of the model', async () => {
		callWith(unknown, acme);
		await succeed('continuing');

		const details = { httpCode: '422', ctxId: expect.any(String) };
		expect(toolResult(model.requests[1])).toEqual([{ error: reasonAndFix, details }]);
		expect(toolResult(model.requests[2])).toMatchObject([{ domain: acme.domain }]);
		expect(lab.sandbox.requests.map(({ status }) => status)).toEqual([422, 200]);
	});

	test('tells the model why a call failed if On Error is not set', async () => {
		callWith(unknown);
		await succeed('enrich');
		expect(toolResult(model.requests[1])).toEqual([{ error: reasonAndFix }]);
	});

	test('ends the execution after a failed call if On Error is "Stop", and shows the reason', async () => {
		callWith(unknown);
		const execution = await lab.run(workflows.stopping);

		expect(execution).toMatchObject({ status: 'error', error: { message: reasonAndFix } });
		expect(execution.runs[toolName]).toHaveLength(1);
		expect(model.requests).toHaveLength(1);
		expect(lab.sandbox.requests.map(({ status }) => status)).toEqual([422]);
	});
});

describe.each(['retriedByN8n', 'retriedByAgent'] as const)(
	'a tool with Retry On Fail in the workflow "%s"',
	(name) => {
		test('sends a tool call only once, even if its connection breaks and n8n retries the node', async () => {
			lab.sandbox.addFault({ path: '/v2/enrich', action: 'reset' });
			callWith(acme);
			await lab.run(workflows[name]);
			expect(lab.sandbox.requests).toHaveLength(1);
		});

		test('sends every call of the model, even if two calls have the same data', async () => {
			const calls = [acme, { ...acme, domain: 'other.example' }, acme];
			callWith(...calls);
			await succeed(name);
			expect(lab.sandbox.calls.enrich).toEqual(calls);
			const results = model.requests.slice(1).map((request) => toolResult(request)[0]);
			expect(domainsOf(results)).toEqual(domainsOf(calls));
		});
	},
);
