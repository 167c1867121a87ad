import type { LoggedRequest } from './types.mts';

/** Log of the API requests. */
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
	 * Logs how a request ended. Only the first call for a request counts. Call this just before sending the response: a
	 * client that sends its next request at once must not count as having two in flight.
	 */
	end(entry: LoggedRequest, status: number | 'dropped'): void {
		if (entry.status !== 0) return;
		entry.status = status;
		this.inFlight--;
	}

	/** Clears the log. Requests in flight are still counted as in flight. */
	clear(): void {
		this.entries.length = 0;
	}
}
