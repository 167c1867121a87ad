import { createRequire } from 'node:module';
import path from 'node:path';
import type { CredentialFile } from './imports.mts';
import type { Runtime } from './runtime.mts';

/** Token with which a client authenticates at the MCP server of the examples. */
export const mcpToken = 'fake-token-for-mcp-clients';

/** n8n credential for the MCP server's token, with the id that the examples use. */
export const mcpCredentialFile: CredentialFile = {
	id: 'mcpToken',
	name: 'Token for MCP clients',
	type: 'httpBearerAuth',
	data: { token: mcpToken },
};

/** Client of the MCP SDK, with the methods that the tests use. */
export interface McpClient {
	connect(transport: object): Promise<void>;
	getInstructions(): string | undefined;
	listTools(): Promise<{ tools: Array<{ name: string; inputSchema: object }> }>;
	callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<{
		isError?: boolean;
		content: Array<{ text?: string }>;
	}>;
	close(): Promise<void>;
}

/**
 * Connects to an MCP server as another app would, with n8n's copy of the MCP SDK.
 * @throws the SDK's error if the server rejects the connection
 */
export async function connectMcp(runtime: Runtime, url: string, token: string): Promise<McpClient> {
	const require = createRequire(path.join(runtime.serverFolder, 'node_modules/n8n/package.json'));
	const from = (module: string) =>
		require(`@modelcontextprotocol/sdk/client/${module}.js`) as {
			Client: new (about: { name: string; version: string }) => McpClient;
			StreamableHTTPClientTransport: new (url: URL, more: { requestInit: RequestInit }) => object;
		};
	const headers = { authorization: `Bearer ${token}` };
	const client = new (from('index').Client)({ name: 'another-app', version: '1.0.0' });
	const { StreamableHTTPClientTransport } = from('streamableHttp');
	await client.connect(
		new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
	);
	return client;
}
