/** Returns the error of this class that `work` throws. Fails the test if it throws another error, or none. */
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
