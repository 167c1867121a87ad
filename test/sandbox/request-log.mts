import type { LoggedRequest } from './types.mts';

/** The log of API requests. */
export class RequestLog {
	/** Oldest first. */
	readonly entries: LoggedRequest[] = [];
	private underWay = 0;

	/** Logs a request that has just arrived. */
	begin(request: Omit<LoggedRequest, 'at' | 'status' | 'inFlight'>): LoggedRequest {
		const entry: LoggedRequest = {
			at: Date.now(),
			...request,
			status: 0,
			inFlight: ++this.underWay,
		};
		this.entries.push(entry);
		return entry;
	}

	/**
	 * Notes how a request ended; the first word counts. It is called just before the answer goes out, so that a
	 * client that sends its next request at once is never counted as having two under way.
	 */
	end(entry: LoggedRequest, status: number | 'dropped'): void {
		if (entry.status !== 0) return;
		entry.status = status;
		this.underWay--;
	}

	/** Forgets all requests. Those under way still count as under way. */
	clear(): void {
		this.entries.length = 0;
	}
}
