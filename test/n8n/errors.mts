/**
 * Failure whose message is the whole explanation for the user at the terminal: what happened and what to do. The
 * message is printed without a stack trace.
 */
export class ExplainedError extends Error {
	override name = 'ExplainedError';
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
