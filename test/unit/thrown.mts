/**
 * Returns the error of this class that `work` throws. Rethrows any other error, and throws an error if `work` throws
 * nothing.
 */
export function thrown<Kind extends Error>(
	kind: abstract new (...given: never[]) => Kind,
	work: () => unknown,
): Kind {
	try {
		work();
	} catch (error) {
		if (error instanceof kind) return error;
		throw error;
	}
	throw new Error(`expected a ${kind.name}`);
}
