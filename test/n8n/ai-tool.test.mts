import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { agentName, agentWorkflow, modelCredentialFile, toolName } from './ai-workflow.mts';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { startScriptedModel } from './scripted-model.mts';
import type { ModelRequest, ScriptedModel } from './scripted-model.mts';

const enrichParameters = {
	resource: 'company',
	operation: 'enrich',
	dataToSend: 'defineBelow',
	fields: {
		values: [{ name: 'domain', value: "={{ $fromAI('domain', 'Domain of the company') }}" }],
	},
};
const enrich = agentWorkflow('Agent enriches', enrichParameters, {
	tool: { onError: 'continueRegularOutput' },
});
const enrichUnset = agentWorkflow('Agent default', enrichParameters);
const enrichStopping = agentWorkflow('Agent stops', enrichParameters, {
	tool: { onError: 'stopWorkflow' },
});
/** The newest agents let n8n run their tools as nodes; older ones run them themselves. */
const retried = [3.1, 2.2].map((agentVersion) =>
	agentWorkflow(`Agent ${agentVersion} retries`, enrichParameters, {
		agentVersion,
		tool: { onError: 'stopWorkflow', retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	}),
);
/** Two rows, each filled in by the model, of different types. */
const twoFields = agentWorkflow('Agent fills two fields', {
	...enrichParameters,
	fields: {
		values: [
			{ name: 'domain', value: "={{ $fromAI('domain', 'Domain of the company') }}" },
			{ name: 'employees', value: "={{ $fromAI('employees', 'How many', 'number') }}" },
		],
	},
});
const list = agentWorkflow('Agent lists', {
	resource: 'company',
	operation: 'getAll',
	limit: "={{ $fromAI('limit', 'How many companies', 'number') }}",
	options: { fields: 'name' },
});

let model: ScriptedModel;

beforeAll(async () => void (model = await startScriptedModel()));
afterAll(async () => await model?.stop());

const lab = useLab({
	name: 'ai-tool',
	sandbox: { companies: 200 },
	credentials: () => [modelCredentialFile(model.url)],
	workflows: () => [enrich, enrichUnset, enrichStopping, twoFields, list, ...retried],
});

/** What the tool gave the model, from the request that followed the call. */
function toolResult(request: ModelRequest | undefined): Record<string, unknown>[] {
	const message = request?.messages.at(-1);
	expect(message?.role).toBe('tool');
	return JSON.parse(String(message?.content)) as Record<string, unknown>[];
}

describe('a call that succeeds', () => {
	test('the model is offered the operation in words, with the field it fills in', async () => {
		model.follow(() => ({ say: 'Nothing to do.' }));
		await lab.run(enrich);
		await lab.run(list);

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
				? { callTool: { domain: 'acme.example' } }
				: { say: `It has ${String(toolResult(request)[0].employees)} employees.` },
		);
		const execution = await lab.run(enrich);

		expect(execution.status, execution.error?.message).toBe('success');
		expect(lab.sandbox.calls.enrich).toEqual([{ domain: 'acme.example' }]);
		const [result] = toolResult(model.requests[1]);
		expect(result).toMatchObject({ domain: 'acme.example', employees: expect.any(Number) });
		const [answer] = itemsOf(execution, agentName);
		expect(answer.json.output).toBe(`It has ${String(result.employees)} employees.`);
	});

	test('each field gets the value that the model gave it, of its type', async () => {
		const asked = { domain: 'acme.example', employees: 250 };
		model.follow((_request, turn) => (turn === 1 ? { callTool: asked } : { say: 'Done.' }));
		const execution = await lab.run(twoFields);

		expect(execution.status, execution.error?.message).toBe('success');
		expect(Object.keys(model.requests[0].tools[0].parameters.properties ?? {})).toEqual([
			'domain',
			'employees',
		]);
		expect(lab.sandbox.calls.enrich).toEqual([asked]);
	});

	test('a list keeps to the limit and the fields, so that the model is not flooded', async () => {
		model.follow((_request, turn) => (turn === 1 ? { callTool: { limit: 3 } } : { say: 'Done.' }));
		const execution = await lab.run(list);

		expect(execution.status, execution.error?.message).toBe('success');
		expect(lab.sandbox.requests.map(({ query }) => query)).toEqual([
			{ sort: 'updated_at', limit: '3' },
		]);
		const companies = toolResult(model.requests[1]);
		expect(companies).toHaveLength(3);
		for (const company of companies) {
			expect(Object.keys(company).sort()).toEqual(['id', 'name']);
		}
	});
});

/** Everything in one text, since n8n gives a model nothing but an error's message. */
const reasonAndFix =
	/^The service could not work with the data that was sent\. Check the names .* "No company is known at this domain\."/;

describe('a call that fails', () => {
	beforeEach(() => {
		const error = { code: 'unprocessable', message: 'No company is known at this domain.' };
		const body = { success: false, error, meta: { ctx_id: 'ctx_agent' } };
		lab.sandbox.addFault({ path: '/v2/enrich', status: 422, body });
	});

	test('with On Error "Continue" the model reads why, and its second call succeeds', async () => {
		model.follow((request, turn) => {
			if (turn === 1) return { callTool: { domain: 'unknown.example' } };
			if (turn === 2) return { callTool: { domain: 'acme.example' } };
			return { say: `Found ${String(toolResult(request)[0].domain)}.` };
		});
		const execution = await lab.run(enrich);

		expect(toolResult(model.requests[1])).toEqual([
			{
				error: expect.stringMatching(reasonAndFix),
				details: { httpCode: '422', ctxId: expect.any(String) },
			},
		]);
		expect(execution.status, execution.error?.message).toBe('success');
		expect(itemsOf(execution, agentName)[0].json.output).toBe('Found acme.example.');
		expect(lab.sandbox.requests.map(({ status }) => status)).toEqual([422, 200]);
	});

	test('with On Error untouched the model reads the same', async () => {
		model.follow((_request, turn) =>
			turn === 1 ? { callTool: { domain: 'unknown.example' } } : { say: 'It failed.' },
		);
		const execution = await lab.run(enrichUnset);

		expect(execution.status, execution.error?.message).toBe('success');
		expect(toolResult(model.requests[1])).toEqual([{ error: expect.stringMatching(reasonAndFix) }]);
	});

	test('with On Error "Stop" the execution fails with the reason, and nothing is called again', async () => {
		model.follow(() => ({ callTool: { domain: 'unknown.example' } }));
		const execution = await lab.run(enrichStopping);

		expect(execution.status).toBe('error');
		expect(execution.error?.message).toMatch(reasonAndFix);
		expect(execution.runs[toolName]).toHaveLength(1);
		expect(model.requests).toHaveLength(1);
		expect(lab.sandbox.requests.map(({ status }) => status)).toEqual([422]);
	});

	test('a call without a value is not sent, and the model reads what is missing', async () => {
		model.follow((_request, turn) =>
			turn === 1 ? { callTool: { domain: '' } } : { say: 'Nothing to ask about.' },
		);
		await lab.run(enrich);

		expect(toolResult(model.requests[1])).toEqual([
			{
				error: expect.stringMatching(/^There is nothing to send\. Add at least one field/),
				details: {},
			},
		]);
		expect(lab.sandbox.requests).toHaveLength(0);
	});
});

describe.each(retried)('a tool with Retry On Fail: $name', ({ id }) => {
	test('a call whose connection is cut reaches the service once over all tries', async () => {
		lab.sandbox.addFault({ path: '/v2/enrich', action: 'reset' });
		model.follow((_request, turn) =>
			turn === 1 ? { callTool: { domain: 'acme.example' } } : { say: 'It failed.' },
		);
		await lab.run({ id });
		expect(lab.sandbox.requests).toHaveLength(1);
	});

	test('each further call of the model is sent, with the same data too', async () => {
		const asked = ['acme.example', 'other.example', 'acme.example'];
		model.follow((_request, turn) =>
			turn <= asked.length ? { callTool: { domain: asked[turn - 1] } } : { say: 'Done.' },
		);
		const execution = await lab.run({ id });
		expect(execution.status, execution.error?.message).toBe('success');
		expect(lab.sandbox.calls.enrich).toEqual(asked.map((domain) => ({ domain })));
		expect(model.requests.slice(1).map((request) => toolResult(request)[0].domain)).toEqual(asked);
	});
});
