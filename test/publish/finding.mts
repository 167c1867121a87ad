/** One thing that is not as it has to be for a release. */
export interface Finding {
	/** A placeholder is filled in by `npm run publish:address`; a problem has to be mended. */
	kind: 'placeholder' | 'problem';
	text: string;
}

/** One item of the publish check. */
export interface Check {
	/** What is true when nothing is found. */
	name: string;
	find(): Promise<Finding[]>;
}

/** A problem for each expectation that is not met. */
export function unmet(expectations: Record<string, boolean>): Finding[] {
	return Object.entries(expectations)
		.filter(([, met]) => !met)
		.map(([text]) => problem(text));
}

/** A finding that has to be mended. */
export function problem(text: string): Finding {
	return { kind: 'problem', text };
}
