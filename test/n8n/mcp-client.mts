import { createRequire } from 'node:module';
import path from 'node:path';
import type { CredentialFile } from './imports.mts';
import type { Runtime } from './runtime.mts';

/** What an app has to send to the MCP server of the examples. */
export const mcpToken = 'fake-token-for-mcp-clients';

/** The credential with that token, by the id that the examples name. */
export const mcpCredentialFile: CredentialFile = {
	id: 'mcpToken',
	name: 'Token for MCP clients',
	type: 'httpBearerAuth',
	data: { token: mcpToken },
};

/** A tool as an MCP server describes it. */
export interface McpTool {
	name: string;
	description?: string;
	inputSchema: Record<string, unknown>;
}

/** What a call of a tool gives. */
export interface McpResult {
	isError?: boolean;
	content: { type: string; text?: string }[];
}

/** A connected client of the MCP SDK; only what the tests use of it. */
export interface McpClient {
	getInstructions(): string | undefined;
	listTools(): Promise<{ tools: McpTool[] }>;
	callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<McpResult>;
	close(): Promise<void>;
}

interface Sdk {
	Client: new (about: { name: string; version: string }) => McpClient & {
		connect(transport: unknown): Promise<void>;
	};
	StreamableHTTPClientTransport: new (
		url: URL,
		options: { requestInit: { headers: Record<string, string> } },
	) => unknown;
}

/**
 * Connects to an MCP server as another app would. The client is the MCP SDK's own, of the version that n8n brings along.
 *
 * @throws the SDK's error where the server refuses
 */
export async function connectMcp(runtime: Runtime, url: string, token: string): Promise<McpClient> {
	const require = createRequire(path.join(runtime.serverFolder, 'node_modules/n8n/package.json'));
	const sdk = '@modelcontextprotocol/sdk/client';
	const { Client } = require(`${sdk}/index.js`) as Pick<Sdk, 'Client'>;
	const { StreamableHTTPClientTransport } = require(`${sdk}/streamableHttp.js`) as Pick<
		Sdk,
		'StreamableHTTPClientTransport'
	>;
	const headers = { authorization: `Bearer ${token}` };
	const client = new Client({ name: 'another-app', version: '1.0.0' });
	await client.connect(
		new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
	);
	return client;
}
