/**
 * Runs the two examples with AI tools: an MCP server for other apps, and an agent that waits for a person's approval.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelCredentialFile } from './ai-workflow.mts';
import { newWorkflowId, readExamples } from './imports.mts';
import type { Examples } from './imports.mts';
import { useLab } from './lab.mts';
import { openLink, startMailServer } from './mail-server.mts';
import type { MailServer } from './mail-server.mts';
import { connectMcp, mcpCredentialFile, mcpToken } from './mcp-client.mts';
import type { McpClient } from './mcp-client.mts';
import { startScriptedModel } from './scripted-model.mts';
import type { ScriptedModel } from './scripted-model.mts';
import { shownInDocs } from './shown-in-docs.mts';

const serverExample = 'mcp-server-with-workspace-data-tools';
const approvalExample = 'prospect-after-approval-by-mail';

let mail: MailServer;
let model: ScriptedModel;
let examples: Examples;

beforeAll(async () => {
	mail = await startMailServer();
	model = await startScriptedModel();
	examples = await readExamples(newWorkflowId);
});
afterAll(async () => {
	await model?.stop();
	await mail?.stop();
});

const lab = useLab({
	name: 'examples-ai',
	sandbox: { companies: 100 },
	credentials: () => [
		mail.credential,
		mcpCredentialFile,
		{ ...modelCredentialFile(model.url), id: 'yourModel', name: 'Your model' },
	],
	workflows: () => [examples[serverExample], examples[approvalExample]],
});

beforeAll(async () => {
	for (const name of [serverExample, approvalExample]) await lab.client.activate(examples[name].id);
});
beforeEach(() => mail.clear());

describe(serverExample, () => {
	let client: McpClient;

	const connect = async (token: string): Promise<McpClient> =>
		await connectMcp(lab.n8n.runtime, `${lab.n8n.server.url}/mcp/workspace-data`, token);
	const call = async (name: string, toolArguments: Record<string, unknown>) => {
		const { isError = false, content } = await client.callTool({ name, arguments: toolArguments });
		return { isError, text: content[0].text ?? '' };
	};

	beforeAll(async () => void (client = await connect(mcpToken)));
	afterAll(() => client?.close());

	test('rejects an MCP client with a wrong token', async () => {
		await expect(connect('fake-wrong-token')).rejects.toThrow();
	});

	test('offers three operations as tools to an MCP client, as docs/ai.md shows', async () => {
		const { tools } = await client.listTools();

		expect(tools.map(({ name }) => name).toSorted()).toEqual([
			'Enrich_a_company',
			'Get_companies',
			'Score_a_company',
		]);
		const enrich = tools.find(({ name }) => name === 'Enrich_a_company');
		expect(enrich?.inputSchema).toMatchObject({
			properties: { domain: { type: 'string' } },
			required: ['domain'],
		});
		const shown = await shownInDocs('docs/ai.md', 'What a model sees');
		expect(enrich).toMatchObject(JSON.parse(shown) as Record<string, unknown>);
		expect(client.getInstructions()).toContain('may be billed');
		expect(lab.sandbox.requests).toEqual([]);
	});

	test('returns companies with only three fields to an MCP client, and sends an enrich call once', async () => {
		const list = await call('Get_companies', { limit: 3 });
		expect(list.isError).toBe(false);
		const fields = (JSON.parse(list.text) as object[]).map(Object.keys);
		expect(fields).toEqual(Array(3).fill(['name', 'domain', 'updated_at']));

		const acme = { domain: 'acme.example' };
		const { text } = await call('Enrich_a_company', acme);
		expect(JSON.parse(text)).toMatchObject([{ ...acme, employees: expect.any(Number) }]);
		expect(lab.sandbox.calls.enrich).toEqual([acme]);
	});

	test('returns 50 companies to a model that requests 3,000 or 0 companies', async () => {
		for (const limit of [3_000, 0]) {
			const { text } = await call('Get_companies', { limit });
			expect(JSON.parse(text)).toHaveLength(50);
		}
	});

	test('returns an error with advice after a failed tool call, as docs/ai.md shows', async () => {
		const { isError, text } = await call('Enrich_a_company', { domain: '' });

		expect(isError).toBe(true);
		expect(text).toContain('Add at least one field');
		expect(text).toBe(await shownInDocs('docs/ai.md', 'When a call fails'));
		expect(lab.sandbox.requests).toEqual([]);
	});
});

describe(approvalExample, () => {
	const filter = { industry: 'Logistics', country: 'Germany' };

	/**
	 * Submits the example's form, and waits until n8n has paused the execution. Returns the email that asks a person
	 * for approval, and the id of the execution.
	 */
	async function askForCompanies() {
		model.follow((request, turn) =>
			turn === 1
				? { callTool: { toolParameters: filter, hitlParameters: {} } }
				: { say: `The tool said: ${String(request.messages.at(-1)?.content)}` },
		);
		const form = new FormData();
		form.set('field-0', 'Hauliers in Germany');
		form.set('field-1', 'somebody@example.com');
		const address = `${lab.n8n.server.url}/form/find-companies`;
		const response = await fetch(address, { method: 'POST', body: form });
		expect(response.status).toBe(200);
		const question = await mail.next();
		const [executionId] = await lab.client.listExecutions(examples[approvalExample].id);
		const status = async () => (await lab.client.readExecution(executionId))?.status;
		await expect.poll(status).toBe('waiting');
		return { question, executionId };
	}

	test("sends an AI Agent's search once, and only after a person has approved the search", async () => {
		const { question, executionId } = await askForCompanies();

		expect(question.to).toMatchObject([{ address: 'approver@example.com' }]);
		const text = question.html?.replaceAll(/<[^>]*>/g, ' ');
		for (const shown of ['Industry: Logistics', 'Country: Germany', 'Hauliers in Germany']) {
			expect(text).toContain(shown);
		}
		expect(lab.sandbox.requests).toEqual([]);

		await openLink(question, 'approved=true');
		const execution = await lab.client.waitForExecution(executionId);
		expect(execution.error?.message).toBeUndefined();
		expect(lab.sandbox.calls.prospect).toEqual([{ ...filter, limit: 5 }]);
		expect(lab.sandbox.requests).toHaveLength(1);
		const answer = await mail.next();
		expect(answer.to).toMatchObject([{ address: 'somebody@example.com' }]);
		expect(answer.text).toContain('prospect_id');
	});

	test("does not send an AI Agent's search if a person declines it, and tells the agent about the refusal", async () => {
		const { question, executionId } = await askForCompanies();

		await openLink(question, 'approved=false');
		expect((await lab.client.waitForExecution(executionId)).status).toBe('success');
		expect(lab.sandbox.requests).toEqual([]);
		expect((await mail.next()).text).toMatch(/The tool said: .*rejected the tool call/);
	});
});
