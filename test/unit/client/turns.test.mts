import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Turns } from '../../../nodes/client/turns.ts';

test('a connection begun before opens, and what it has to send is written', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const turns = new Turns();
	for (let round = 0; round < 20; round++) {
		const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
		socket.write('GET / HTTP/1.1\r\n\r\n');
		expect(socket.connecting).toBe(true);
		await turns.next();
		expect([socket.connecting, socket.writableLength]).toEqual([false, 0]);
		socket.destroy();
	}
	turns.close();
	server.close();
});

test('can be closed before it was used, and twice', async () => {
	const turns = new Turns();
	turns.close();
	await turns.next();
	turns.close();
	turns.close();
});
