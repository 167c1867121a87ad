import { canonicalJson } from '../../common/canonical-json';

/**
 * Remembers the answers of one run by what was sent, for the option Send Identical Once. Requests that are still
 * under way are shared too, and so are failures: whoever sends the same again gets the same error.
 */
export class IdenticalRequests {
	private readonly answers = new Map<string, Promise<unknown>>();

	/** The answer for this content; `send` is called only for the first one. */
	async once(content: unknown, send: () => Promise<unknown>): Promise<unknown> {
		const key = canonicalJson(content);
		let answer = this.answers.get(key);
		if (answer === undefined) {
			answer = send();
			this.answers.set(key, answer);
		}
		return await answer;
	}
}
