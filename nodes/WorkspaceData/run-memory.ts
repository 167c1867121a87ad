import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../client/envelope';
import { nothingLearned, type Learned } from '../common/session/session';
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
	private readonly learned = new Map<string, Learned>();

	/** n8n shows nothing of an earlier try, and what waited in it to be sent has given up. */
	beginTry(): void {
		this.happened.clear();
		for (const { rateLimiter } of this.learned.values()) rateLimiter.emptyQueue();
	}

	/** What was learned with a credential, by all tries so far. */
	learnedOf(credential: string, maxConcurrent: number): Learned {
		const learned = this.learned.get(credential) ?? nothingLearned(maxConcurrent);
		this.learned.set(credential, learned);
		return learned;
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
