import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { n8nNode } from './workflows.mts';

/** HTTP server to which the tests' workflows send data. It can accept, reject or delay these requests (loads). */
export type Destination = Awaited<ReturnType<typeof startDestination>>;

/** Starts a destination server, which accepts every load at first. */
export async function startDestination() {
	let held: Promise<void> = Promise.resolve();
	const server = createServer((request, response) => {
		destination.loads++;
		destination.resumeUrl = String(request.headers['x-resume-url']);
		void Promise.all([request.toArray(), held]).then(([chunks]) => {
			const isAccepted = destination.accepts-- > 0;
			if (isAccepted) destination.bodies.push(Buffer.concat(chunks as Buffer[]).toString());
			response.statusCode = isAccepted ? 200 : 400;
			response.setHeader('content-type', 'application/json').end('{"loaded":true}');
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const header = { name: 'x-resume-url', value: '={{ $execution.resumeUrl }}' };
	const parameters = {
		method: 'POST',
		url,
		sendHeaders: true,
		headerParameters: { parameters: [header] },
		options: {},
	};
	const destination = {
		url,
		/** HTTP Request node that sends one request (a load) per run, even if it receives several items. */
		load: n8nNode('Load', 'httpRequest', 4.2, parameters, { executeOnce: true }),
		/** Number of loads that the server still accepts. It rejects all later loads. */
		accepts: Infinity,
		/** Number of load requests that have arrived. */
		loads: 0,
		/** Bodies of the accepted loads. */
		bodies: [] as string[],
		/** URL that resumes the waiting execution that sent the last load. */
		resumeUrl: '',
		/** Delays the responses to all loads until the returned function is called. */
		hold: () => {
			let release = (): void => undefined;
			held = new Promise((resolve) => (release = resolve));
			return release;
		},
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
	return destination;
}
