/** How much of the beginning and of the end of a text an outline shows, in characters. */
export const OUTLINE_EDGE = 2_000;
/** Between the two; no JSON text has it. */
const LEFT_OUT = '\0';

/**
 * A text that comes piece by piece. V8 keeps such a text in pieces until somebody looks at a part of it, and then puts
 * the whole together: nearly a ms for a page of 1 MB, in which no request for the next one is on its way.
 */
export class TextInParts {
	/** What has come so far. */
	whole = '';
	private beginning = '';
	private end = '';

	add(part: string): void {
		this.whole += part;
		if (this.beginning.length < OUTLINE_EDGE) this.beginning += part;
		this.end = part.length < OUTLINE_EDGE ? this.end.slice(-OUTLINE_EDGE) + part : part;
	}

	/** How the text begins and ends, at once to be looked at; a short text as it is. */
	get outline(): string {
		const { whole, beginning, end } = this;
		if (whole.length <= 2 * OUTLINE_EDGE) return whole;
		return beginning.slice(0, OUTLINE_EDGE) + LEFT_OUT + end.slice(-OUTLINE_EDGE);
	}
}
