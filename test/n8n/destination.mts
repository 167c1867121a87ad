import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { n8nNode } from './workflows.mts';

/** What changes are loaded into: a server that accepts them, or does not, or takes its time. */
export type Destination = Awaited<ReturnType<typeof startDestination>>;

/** Starts one on this machine, which accepts everything. */
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
		/** A node that loads once, whatever its input. */
		load: n8nNode('Load', 'httpRequest', 4.2, parameters, { executeOnce: true }),
		/** How many more loads it accepts; the others fail. */
		accepts: Infinity,
		/** Loads that have begun. */
		loads: 0,
		/** The bodies of those that were accepted. */
		bodies: [] as string[],
		/** Where an execution that waits behind the last load is to be called to go on. */
		resumeUrl: '',
		/** Every load waits, until the function is called that this gives. */
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
