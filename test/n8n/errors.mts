/**
 * Error whose message tells the user at the terminal what happened and what to do. It is printed without a stack trace.
 */
export class ExplainedError extends Error {
	override name = 'ExplainedError';
}

/** Returns the message of an error, or any other thrown value as text. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
