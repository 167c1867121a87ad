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
import { startScriptedModel } from './scripted-model.mts';
import type { ModelRequest, ScriptedModel } from './scripted-model.mts';

const domain = { name: 'domain', value: fromModel('domain', 'Domain of the company') };
const employees = { name: 'employees', value: fromModel('employees', 'How many', 'number') };
const enrichment = (...values: object[]) => ({
	resource: 'company',
	operation: 'enrich',
	dataToSend: 'defineBelow',
	fields: { values },
});
const retries = {
	onError: 'stopWorkflow' as const,
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 10,
};
const workflows = {
	enrich: agentWorkflow('Agent enriches', enrichment(domain), { onError: 'continueRegularOutput' }),
	unset: agentWorkflow('Agent default', enrichment(domain)),
	stopping: agentWorkflow('Agent stops', enrichment(domain), { onError: 'stopWorkflow' }),
	twoFields: agentWorkflow('Agent fills two fields', enrichment(domain, employees)),
	list: agentWorkflow('Agent lists', {
		resource: 'company',
		operation: 'getAll',
		limit: fromModel('limit', 'How many companies', 'number'),
		options: { fields: 'name' },
	}),
	// The newest agents let n8n run their tools as nodes; older ones run them themselves.
	retriedByN8n: agentWorkflow('Agent 3.1 retries', enrichment(domain), retries),
	retriedByAgent: agentWorkflow('Agent 2.2 retries', enrichment(domain), retries, 2.2),
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

/** Lets the model call the tool with each of these arguments in turn, and then say something. */
function callWith(...calls: Array<Record<string, unknown>>): void {
	model.follow((_request, turn) =>
		turn <= calls.length ? { callTool: calls[turn - 1] } : { say: 'Done.' },
	);
}

/** What the tool gave the model, from the request that followed the call. */
function toolResult(request: ModelRequest | undefined): Record<string, unknown>[] {
	const message = request?.messages.at(-1);
	expect(message?.role).toBe('tool');
	return JSON.parse(String(message?.content)) as Record<string, unknown>[];
}

const succeed = async (name: keyof typeof workflows) => await lab.succeed(workflows[name]);
const acme = { domain: 'acme.example' };

describe('a call that succeeds', () => {
	test('the model is offered the operation in words, with the field it fills in', async () => {
		callWith();
		await succeed('enrich');
		await succeed('list');

		const [enrichTool, listTool] = model.requests.map(({ tools }) => tools);
		expect(enrichTool).toHaveLength(1);
		expect(enrichTool[0]).toMatchObject({
			name: 'Workspace_Data',
			description: 'Enrich company (may be billed) in Workspace Data',
			parameters: {
				properties: { domain: { type: 'string', description: 'Domain of the company' } },
				required: ['domain'],
			},
		});
		expect(listTool[0]).toMatchObject({
			description: 'Get many companies in Workspace Data',
			parameters: { properties: { limit: { type: 'number' } }, required: ['limit'] },
		});
		expect(lab.sandbox.requests).toEqual([]);
	});

	test('the service gets what the model filled in, and the model gets the result', async () => {
		model.follow((request, turn) =>
			turn === 1
				? { callTool: acme }
				: { say: `It has ${String(toolResult(request)[0].employees)} employees.` },
		);
		const execution = await succeed('enrich');

		expect(lab.sandbox.calls.enrich).toEqual([acme]);
		const [result] = toolResult(model.requests[1]);
		expect(result).toMatchObject({ ...acme, employees: expect.any(Number) });
		const [answer] = itemsOf(execution, agentName);
		expect(answer.json.output).toBe(`It has ${String(result.employees)} employees.`);
	});

	test('each field gets the value that the model gave it, of its type', async () => {
		const asked = { ...acme, employees: 250 };
		callWith(asked);
		await succeed('twoFields');

		const [{ parameters }] = model.requests[0].tools;
		expect(Object.keys(parameters.properties ?? {})).toEqual(['domain', 'employees']);
		expect(lab.sandbox.calls.enrich).toEqual([asked]);
	});

	test('a list keeps to the limit and the fields, so that the model is not flooded', async () => {
		callWith({ limit: 3 });
		await succeed('list');

		expect(lab.sandbox.requests).toMatchObject([{ query: { sort: 'updated_at', limit: '3' } }]);
		const fields = toolResult(model.requests[1]).map((company) => Object.keys(company).sort());
		expect(fields).toEqual(Array(3).fill(['id', 'name']));
	});
});

/** Everything in one text, since n8n gives a model nothing but an error's message. */
const reasonAndFix =
	/^The service could not work with the data that was sent\. Check the names .* "No company is known at this domain\."/;

describe('a call that fails', () => {
	const unknown = { domain: 'unknown.example' };

	beforeEach(() => {
		const error = { code: 'unprocessable', message: 'No company is known at this domain.' };
		const body = { success: false, error, meta: { ctx_id: 'ctx_agent' } };
		lab.sandbox.addFault({ path: '/v2/enrich', status: 422, body });
	});

	test('with On Error "Continue" the model reads why, and its second call succeeds', async () => {
		callWith(unknown, acme);
		await succeed('enrich');

		expect(toolResult(model.requests[1])).toEqual([
			{
				error: expect.stringMatching(reasonAndFix),
				details: { httpCode: '422', ctxId: expect.any(String) },
			},
		]);
		expect(toolResult(model.requests[2])).toMatchObject([acme]);
		expect(lab.sandbox.requests.map(({ status }) => status)).toEqual([422, 200]);
	});

	test('with On Error untouched the model reads the same', async () => {
		callWith(unknown);
		await succeed('unset');
		expect(toolResult(model.requests[1])).toEqual([{ error: expect.stringMatching(reasonAndFix) }]);
	});

	test('with On Error "Stop" the execution fails with the reason, and nothing is called again', async () => {
		callWith(unknown);
		const execution = await lab.run(workflows.stopping);

		expect(execution.status).toBe('error');
		expect(execution.error?.message).toMatch(reasonAndFix);
		expect(execution.runs[toolName]).toHaveLength(1);
		expect(model.requests).toHaveLength(1);
		expect(lab.sandbox.requests.map(({ status }) => status)).toEqual([422]);
	});

	test('a call without a value is not sent, and the model reads what is missing', async () => {
		callWith({ domain: '' });
		await succeed('enrich');

		const error = expect.stringMatching(/^There is nothing to send\. Add at least one field/);
		expect(toolResult(model.requests[1])).toEqual([{ error, details: {} }]);
		expect(lab.sandbox.requests).toHaveLength(0);
	});
});

describe.each(['retriedByN8n', 'retriedByAgent'] as const)(
	'a tool with Retry On Fail: %s',
	(name) => {
		test('a call whose connection is cut reaches the service once over all tries', async () => {
			lab.sandbox.addFault({ path: '/v2/enrich', action: 'reset' });
			callWith(acme);
			await lab.run(workflows[name]);
			expect(lab.sandbox.requests).toHaveLength(1);
		});

		test('each further call of the model is sent, with the same data too', async () => {
			const asked = [acme, { domain: 'other.example' }, acme];
			callWith(...asked);
			await succeed(name);
			expect(lab.sandbox.calls.enrich).toEqual(asked);
			const given = model.requests.slice(1).map((request) => toolResult(request)[0]);
			expect(given).toMatchObject(asked);
		});
	},
);
