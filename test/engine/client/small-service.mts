import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a service of a few lines, for what the sandbox does not do, by https where it has a key. It ends with the test. */
export async function startService(
	answer: (...call: [...Parameters<RequestListener>, requests: number]) => void,
	tls?: { key: string; cert: string },
): Promise<{ url: string; port: number; requests: IncomingMessage[] }> {
	const requests: IncomingMessage[] = [];
	const listener: RequestListener = (request, response) =>
		answer(request, response, requests.push(request));
	const server = tls ? createSecureServer(tls, listener) : createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests };
}
