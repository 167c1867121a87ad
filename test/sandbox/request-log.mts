import type { LoggedRequest } from './types.mts';

/** Log of the API requests that the sandbox receives. */
export class RequestLog {
	/** Logged requests, oldest first. */
	readonly entries: LoggedRequest[] = [];
	private inFlight = 0;

	/** Logs a request that has just arrived. */
	begin(request: Omit<LoggedRequest, 'at' | 'status' | 'inFlight'>): LoggedRequest {
		const entry: LoggedRequest = {
			at: Date.now(),
			...request,
			status: 0,
			inFlight: ++this.inFlight,
		};
		this.entries.push(entry);
		return entry;
	}

	/**
	 * Logs the end of a request. Further calls for the same request are ignored. Call this method just before the
	 * response is sent. Otherwise the next request of the client could arrive while this request still counts as in
	 * flight.
	 */
	end(entry: LoggedRequest, status: number | 'dropped'): void {
		if (entry.status !== 0) return;
		entry.status = status;
		this.inFlight--;
	}

	/** Clears the log. Running requests still count as in flight. */
	clear(): void {
		this.entries.length = 0;
	}
}
