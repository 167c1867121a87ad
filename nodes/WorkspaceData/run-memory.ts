import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../client/envelope';
import { RateLimiter } from '../client/rate-limiter';
import { now } from '../common/session/session';
import { CallOutcomes } from './call-outcomes';
import type { Operation } from './operation-row';

/** What one run of a node holds, over its input items and over all tries of Retry On Fail. */
class RunMemory {
	/** The keys of the syncs that it has read. */
	readonly syncs = new Set<string>();
	/** The keys of all input items: hidden in hints and in the log. */
	readonly secrets: string[] = [];
	private readonly outcomes = new CallOutcomes();
	private readonly happened = new Set<string>();
	private readonly rateLimiters = new Map<string, RateLimiter>();

	/** n8n shows nothing of an earlier try, and what waited in it is not sent any more. */
	beginTry(): void {
		this.happened.clear();
		for (const rateLimiter of this.rateLimiters.values()) rateLimiter.beginTry(now());
	}

	/** How fast requests with a credential may go, as far as it was learned. */
	rateLimiterOf(credential: string, maxConcurrent: number): RateLimiter {
		const known = this.rateLimiters.get(credential) ?? new RateLimiter(maxConcurrent);
		this.rateLimiters.set(credential, known);
		return known;
	}

	/** What came of the run's calls; of those that may be repeated, another try asks anew. */
	outcomesOf({ repeat }: Operation): CallOutcomes {
		return repeat === 'safe' ? new CallOutcomes() : this.outcomes;
	}

	/** Whether something happens in this try for the first time. */
	isFirst(what: string): boolean {
		const { size } = this.happened;
		return this.happened.add(what).size > size;
	}
}

/** Freed with the objects of n8n that they belong to. */
const memories = new WeakMap<object, RunMemory>();

export function memoryOf(context: IExecuteFunctions): RunMemory {
	const run = runOf(context);
	const memory = memories.get(run) ?? new RunMemory();
	memories.set(run, memory);
	return memory;
}

/** What all tries of this run have in common, and no other run. */
function runOf(context: IExecuteFunctions): object {
	// Old versions of n8n may lack the function or the data.
	const data: unknown = context.getExecuteData?.();
	if (!isObject(data)) return context;
	const { node } = data;
	if (isObject(node) && node.name === context.getNode().name) return data;
	// Some agents hand their own data to all their tools; then only the arguments belong to one call.
	const given: unknown = context.getInputData()[0]?.json;
	return isObject(given) ? given : context;
}
