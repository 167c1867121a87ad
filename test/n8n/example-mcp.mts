import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExampleLab } from './examples-lab.mts';
import { connectMcp, mcpToken } from './mcp-client.mts';
import type { McpClient } from './mcp-client.mts';
import { shownInDocs } from './shown-in-docs.mts';

/** The example that offers operations to other apps' assistants, called as such an app does. */
export function testMcpServer(example: () => ExampleLab): void {
	let url: string;
	let client: McpClient;

	beforeAll(async () => {
		const { lab, examples } = example();
		await lab.client.activate(examples['mcp-server-with-workspace-data-tools'].id);
		url = `${lab.n8n.server.url}/mcp/workspace-data`;
		client = await connectMcp(lab.n8n.runtime, url, mcpToken);
	});
	afterAll(() => client?.close());

	test('an app with another token is refused', async () => {
		await expect(connectMcp(example().lab.n8n.runtime, url, 'fake-wrong-token')).rejects.toThrow();
		expect(example().lab.sandbox.requests).toEqual([]);
	});

	test('another app is offered the operations as tools, as docs/ai.md shows one', async () => {
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
		expect(enrich).toMatchObject(
			JSON.parse(await shownInDocs('docs/ai.md', 'What a model sees')) as Record<string, unknown>,
		);
		expect(client.getInstructions()).toContain('may be billed');
		expect(example().lab.sandbox.requests).toEqual([]);
	});

	test('a call gives the companies, as many as asked for and no field too much', async () => {
		const { isError, content } = await client.callTool({
			name: 'Get_companies',
			arguments: { limit: 3 },
		});

		expect(isError).toBeFalsy();
		const companies = JSON.parse(content[0].text ?? '') as Record<string, unknown>[];
		expect(companies).toHaveLength(3);
		for (const company of companies) {
			expect(Object.keys(company)).toEqual(['id', 'name', 'domain', 'updated_at']);
		}
	});

	test('an enrichment reaches the service once', async () => {
		const { content } = await client.callTool({
			name: 'Enrich_a_company',
			arguments: { domain: 'acme.example' },
		});

		expect(JSON.parse(content[0].text ?? '')).toMatchObject([
			{ domain: 'acme.example', employees: expect.any(Number) },
		]);
		expect(example().lab.sandbox.calls.enrich).toEqual([{ domain: 'acme.example' }]);
	});

	test('a call that fails is an error that says what to do, as docs/ai.md shows it', async () => {
		const { isError, content } = await client.callTool({
			name: 'Enrich_a_company',
			arguments: { domain: '' },
		});

		expect(isError).toBe(true);
		expect(content[0].text).toContain('Add at least one field');
		expect(content[0].text).toBe(await shownInDocs('docs/ai.md', 'When a call fails'));
		expect(example().lab.sandbox.requests).toEqual([]);
	});
}
