import type { ServiceResponse } from '../response-to-items';

/** A call, for as long as a run may have looked its result up before it was kept. */
interface SharedCall {
	runs: number;
	/** Of the call that is under way or was answered. */
	answer?: Promise<ServiceResponse>;
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
	 * The call of another run that is under way or was answered, if there is one.
	 * @param useless one that failed or is of no use. Of all that have waited for it, the first to ask on gets none and sends;
	 * the others get the call of that one.
	 */
	of(key: string, useless?: Promise<ServiceResponse>): Promise<ServiceResponse> | undefined {
		const call = calls.get(key);
		if (call !== undefined && call.answer === useless) call.answer = undefined;
		return call?.answer;
	}

	/** This run has sent a call, at once after it was told that there is no other. */
	note(key: string, answer: Promise<ServiceResponse>): void {
		const call = calls.get(key);
		if (call !== undefined) call.answer = answer;
	}
}

/** What a promise comes to; undefined where it fails, or the signal is aborted before. */
export async function unlessAborted<T>(
	promise: Promise<T>,
	signal: AbortSignal,
): Promise<T | undefined> {
	return await new Promise((resolve) => {
		const giveUp = (): void => resolve(undefined);
		signal.addEventListener('abort', giveUp, { once: true });
		promise.then(resolve, giveUp);
	});
}
