/** The error of this class that the work ends in; fails the test when it ends in anything else. */
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
