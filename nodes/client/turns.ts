/**
 * Lets the event loop turn, so that what was just begun gets on its way before long work goes on. Community nodes may
 * not use setImmediate, and a timer takes a ms at least; so a message goes back and forth between two channels, which
 * the loop serves in a fixed order: each return takes a turn.
 */
export class Turns {
	private channels: Array<InstanceType<typeof MessageChannel>> = [];
	private arrived: () => void = () => {};

	/**
	 * Resolves after two turns: in the first a new connection opens, and in the second its request is written. Only one
	 * call at a time; one that is under way when the channels are closed never resolves.
	 */
	async next(): Promise<void> {
		if (this.channels.length === 0) this.open();
		for (let turn = 0; turn < 2; turn++) {
			for (const { port2 } of this.channels) {
				await new Promise<void>((resolve) => {
					this.arrived = resolve;
					port2.postMessage(undefined);
				});
			}
		}
	}

	/** Frees the channels, which would keep the process from ending. */
	close(): void {
		for (const { port1 } of this.channels) port1.close();
		this.channels = [];
	}

	private open(): void {
		this.channels = [new MessageChannel(), new MessageChannel()];
		for (const { port1 } of this.channels) port1.on('message', () => this.arrived());
	}
}
