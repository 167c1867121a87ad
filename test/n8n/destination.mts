import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkflowNode } from './workflows.mts';

/** What changes are loaded into: a server that takes them, or does not, or takes its time. */
export interface Destination {
	/** A node that loads once, whatever its input. */
	load: WorkflowNode;
	/** Every load fails. */
	isDown: boolean;
	/** Loads that have begun. */
	loads: number;
	/** Where an execution that waits behind the last load is to be called to go on. */
	resumeUrl: string;
	/** Every load waits, until the function is called that this gives. */
	hold(): () => void;
	close(): void;
}

/** Starts one on this machine. */
export async function startDestination(): Promise<Destination> {
	let held: Promise<void> = Promise.resolve();
	const server = createServer(({ headers }, response) => {
		destination.loads++;
		destination.resumeUrl = String(headers['x-resume-url']);
		void held.then(() => {
			response.statusCode = destination.isDown ? 400 : 200;
			response.setHeader('content-type', 'application/json').end('{"loaded":true}');
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const destination: Destination = {
		load: {
			name: 'Load',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			executeOnce: true,
			parameters: {
				method: 'POST',
				url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
				sendHeaders: true,
				headerParameters: {
					parameters: [{ name: 'x-resume-url', value: '={{ $execution.resumeUrl }}' }],
				},
				options: {},
			},
		},
		isDown: false,
		loads: 0,
		resumeUrl: '',
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
