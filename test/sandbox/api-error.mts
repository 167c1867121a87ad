/** An answer other than success. The message is for the person who reads it at the client. */
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

/** A 400 with a message that says what to send instead. */
export function badRequest(message: string): ApiError {
	return new ApiError(400, 'invalid_request', message);
}

/** The body of every error answer. */
export function errorBody(code: string, message: string, contextId: string): string {
	return JSON.stringify({ success: false, error: { code, message }, meta: { ctx_id: contextId } });
}
