import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { idsOf, useSandbox } from '../harness/support.mts';

const bench = useSandbox({ companies: 30, orders: 0, items: 0, deals: 0 });

const companies = { resource: 'company', operation: 'getAll' };
const enrich = {
	resource: 'company',
	operation: 'enrich',
	dataToSend: 'json',
	jsonBody: '{"domain":"a.example"}',
};

/** Ends every connection that the node opens the way the network would: with an error of reading. */
function breakConnections(code: string): { now: () => void; restore: () => void } {
	const sockets: Socket[] = [];
	const keep = (message: unknown): void =>
		void sockets.push((message as { socket: Socket }).socket);
	subscribe('net.client.socket', keep);
	return {
		now: () => {
			const error = Object.assign(new Error(`read ${code}`), { code, errno: -1, syscall: 'read' });
			for (const socket of sockets.splice(0)) socket.destroy(error);
		},
		restore: () => void unsubscribe('net.client.socket', keep),
	};
}

describe('a network that goes away', () => {
	test('before anything was sent: that is said', async () => {
		// Nothing is ever at an address for many.
		const run = await bench.run(
			{ ...enrich, options: { maxWait: 0 } },
			{ credential: { ...bench.v2(), baseUrl: 'http://224.0.0.1' } },
		);
		expect(run.error?.message).toBe('No connection to 224.0.0.1:80 could be made');
		expect(run.error?.description).toContain('Nothing was sent');
	});

	test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT', 'ECONNRESET'])(
		'with %s after a billed call was sent: it is not sent again',
		async (code) => {
			const connections = breakConnections(code);
			bench.sandbox.addFault({ path: '/v2/enrich', action: 'hang' });
			const running = bench.run(enrich);
			await expect.poll(() => bench.sandbox.requests).toHaveLength(1);
			connections.now();
			const run = await running;
			connections.restore();
			expect(run.error?.description).toContain('may have processed and billed it');
			expect(bench.sandbox.requests).toHaveLength(1);
		},
	);

	test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'])(
		'with %s while a list is read: the page is asked for again',
		async (code) => {
			const connections = breakConnections(code);
			bench.sandbox.addFault({ action: 'hang' });
			const running = bench.run(companies);
			await expect.poll(() => bench.sandbox.requests).toHaveLength(1);
			connections.now();
			connections.restore();
			expect(new Set(idsOf(await running)).size).toBe(30);
		},
	);
});
