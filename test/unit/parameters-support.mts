import { InputProblem } from '../../nodes/shared/errors.ts';

/** The parameters of a node whose panel holds these values, as a node reads them. */
export function panel(
	values: Record<string, unknown>,
): (name: string, fallback?: unknown) => unknown {
	return (name, fallback) => (Object.hasOwn(values, name) ? values[name] : fallback);
}

/** The problem that the work ends in; fails the test when it ends in anything else. */
export function problemOf(work: () => unknown): InputProblem {
	try {
		work();
	} catch (error) {
		if (error instanceof InputProblem) return error;
		throw error;
	}
	throw new Error('expected an InputProblem');
}
