import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a service of a few lines, for what the sandbox does not do. It ends with the test. */
export async function startService(
	answer: (...call: [...Parameters<RequestListener>, requests: number]) => void,
): Promise<{ url: string; port: number; requests: IncomingMessage[] }> {
	const requests: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		answer(request, response, requests.push(request));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, port, requests };
}
