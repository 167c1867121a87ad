/**
 * Lets the event loop turn, so that a request that was just begun leaves before long work: its connection opens in the
 * first turn, and it is written in the second. Community nodes may not use setImmediate, and a timer takes a ms.
 */
export async function turnEventLoop(): Promise<void> {
	const { port1, port2 } = new MessageChannel();
	for (let turn = 0; turn < 2; turn++) {
		await new Promise<void>((resolve) => {
			port1.once('message', () => resolve());
			port2.postMessage(undefined);
		});
	}
	port1.close();
}
