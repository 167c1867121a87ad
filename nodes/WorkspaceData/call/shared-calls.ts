import { ServiceFailure } from '../../client/failures';
import type { Answer } from '../call-outcomes';

/** A call, for as long as a run may have looked its result up before it was kept. */
interface SharedCall {
	runs: number;
	/** Of the call that is under way or was answered. */
	answer?: Promise<Answer>;
}

/** Calls by key, of all runs in this n8n process that keep results. */
const calls = new Map<string, SharedCall>();

/** What one run shares with the others that ask for the same at the same time: who comes first sends. */
export class SharedCalls {
	private readonly keys = new Set<string>();

	/** To be told before results are looked up: what another run is answered from then on is not missed. */
	hold(keys: readonly string[]): void {
		for (const key of keys) {
			if (this.keys.has(key)) continue;
			const call = calls.get(key) ?? { runs: 0 };
			call.runs += 1;
			calls.set(key, call);
			this.keys.add(key);
		}
	}

	/** To be told once the results of this run are kept. */
	release(): void {
		for (const key of this.keys) {
			const call = calls.get(key);
			if (call !== undefined && (call.runs -= 1) === 0) calls.delete(key);
		}
		this.keys.clear();
	}

	/**
	 * The answer to a call of another run, if it is of use; where there is none, or it fails, that of `send`.
	 * Throws what `send` throws, and ServiceFailure `cancelled` where the signal is aborted while another's call is under way.
	 */
	async ask(
		key: string,
		{ isOfUse, signal }: { isOfUse: (answer: Answer) => boolean; signal: AbortSignal },
		send: () => Promise<Answer>,
	): Promise<Answer> {
		const call = calls.get(key) ?? { runs: 0 };
		for (let other = call.answer; other !== undefined; other = call.answer) {
			const answer = await unlessAborted(other, signal);
			if (answer !== undefined && isOfUse(answer)) return answer;
			if (signal.aborted) throw new ServiceFailure('cancelled');
			// Of those that have waited for it, the first one sends, and the others wait for that.
			if (call.answer === other) call.answer = undefined;
		}
		return await (call.answer = send());
	}
}

/** What a promise comes to; undefined where it fails, or the signal is aborted before. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	return await new Promise((resolve) => {
		const giveUp = (): void => resolve(undefined);
		signal.addEventListener('abort', giveUp, { once: true });
		promise.then(resolve, giveUp);
	});
}
