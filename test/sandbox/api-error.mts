/**
 * Error that the sandbox sends as the response. The message tells client developers what was wrong with the request.
 */
export class ApiError extends Error {
	readonly status: number;
	readonly code: string;
	readonly headers: Record<string, string>;

	constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.headers = headers;
	}
}

/** Returns an HTTP 400 error. The message says what to send instead. */
export function badRequest(message: string): ApiError {
	return new ApiError(400, 'invalid_request', message);
}

/** Returns the body of an error response as JSON text. */
export function errorBody(code: string, message: string, contextId: string): string {
	return JSON.stringify({ success: false, error: { code, message }, meta: { ctx_id: contextId } });
}
