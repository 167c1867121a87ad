/**
 * A failure whose message is already the whole explanation for the person at the terminal: what happened and
 * what to do. It is printed without a stack.
 */
export class ExplainedError extends Error {
	override name = 'ExplainedError';
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
