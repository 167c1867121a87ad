/**
 * Sends random calls from n8n's engine to a sandbox with random faults and quirks (unusual behaviour). Each item must
 * get exactly its result or a helpful error, in order. The service must not bill a call twice, and no output must
 * contain a key (`useSandbox` checks this after each run). Each random combination is called a history. The environment
 * variable QUIRKS_HISTORIES sets the number of histories. A failure prints its seed, and SEED repeats the failure.
 * Lists and changes have random tests in test/unit.
 */
import type { INodeExecutionData } from 'n8n-workflow';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { send } from '../../sandbox/test-client.mts';
import { seed } from '../../seed.mts';
import { faultCases } from '../shared/client/fault-cases.mts';
import { useSandbox, type NodeRun } from '../harness/support.mts';

type Json = Record<string, unknown>;

const numRuns = Number(process.env.QUIRKS_HISTORIES ?? 200);
/** Maximum time of all histories together, in ms, including the search for a smaller failing history. */
const maxMs = 480_000;
/** Maximum time of one history, in ms. All waits are short, so a history that takes longer will never end. */
const maxHistoryMs = 60_000;

// Shorten the random waits before retries, which can take a second. Unit tests already check the real waits.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.02));

const bench = useSandbox({ companies: 1 });

/**
 * Operation under test. `added` contains the fields that the node adds to each body. `counted` is the key under which
 * `sandbox.calls` lists the calls.
 */
interface Call {
	resource: string;
	operation: string;
	path: string;
	added?: Json;
	counted?: 'enrich' | 'score' | 'prospect';
}

const score = { operation: 'score', path: '/v2/score', counted: 'score' } as const;
const call = fc.constantFrom<Call>(
	{ resource: 'company', operation: 'enrich', path: '/v2/enrich', counted: 'enrich' },
	{ resource: 'company', ...score, added: { object_type: 'company' } },
	{ resource: 'deal', ...score, added: { object_type: 'deal' } },
	{
		...{ resource: 'company', operation: 'prospect' },
		...{ path: '/v2/prospect/companies', counted: 'prospect' },
	},
	{ resource: 'workspace', operation: 'whoAmI', path: '/v2/public/auth/whoami' },
);
const fault = fc.record({
	faultCase: fc.constantFrom(...faultCases.filter(({ listsOnly }) => !listsOnly)),
	skip: fc.integer({ min: 0, max: 6 }),
	times: fc.integer({ min: 1, max: 2 }),
});
/**
 * Random rate limits. Windows are short, because the node really waits. Retry-After is rare, because it counts whole
 * seconds.
 */
const rateLimit = fc.record({
	algorithm: fc.constantFrom('tokenBucket', 'fixedWindow', 'slidingWindow'),
	requests: fc.integer({ min: 1, max: 6 }),
	windowMs: fc.integer({ min: 15, max: 50 }),
	retryAfter: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
});
const history = fc.record({
	call,
	/** Company of each item, as a number. Equal numbers give equal request bodies. */
	subjects: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
	maxConcurrent: fc.constantFrom(1, 2, 5, 20),
	isShared: fc.boolean(),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	retries: fc.boolean(),
	quirks: fc.record({
		rateLimit: fc.option(rateLimit, { nil: undefined }),
		prospectTotal: fc.constantFrom(undefined, 0, 3, 5, 4_000),
	}),
	faults: fc.oneof(fc.array(fault, { maxLength: 0 }), fc.array(fault, { maxLength: 2 })),
	latencyMs: fc.integer({ min: 0, max: 2 }),
});
type History = typeof history extends fc.Arbitrary<infer One> ? One : never;

const itemOf = (subject: number): Json => ({
	id: `id_${subject}`,
	domain: `company-${subject}.example`,
});

/**
 * Returns the expected results of each company: the response data of the sandbox without faults. Equal requests always
 * get equal responses.
 */
async function expectedResults({ call: { path, added, counted }, subjects }: History) {
	const results = new Map<number, unknown[]>();
	for (const subject of new Set(subjects)) {
		const body = { ...itemOf(subject), ...added };
		const { data } = (await send(bench.sandbox, path, counted && { body })).body;
		results.set(subject, counted === 'prospect' ? data.items : [data]);
	}
	bench.sandbox.clearRequests();
	return results;
}

function parametersOf({ call: chosen, faults, quirks, ...settings }: History): Json {
	const { retries, maxConcurrent, isShared } = settings;
	const hangs = faults.some(({ faultCase }) => faultCase.fault.action === 'hang');
	const values = {
		...(hangs && { timeout: 300 }),
		retryFor: quirks.rateLimit ? 10 : retries ? 300 : 0,
	};
	const options = {
		requests: { values },
		...(chosen.counted && { maxConcurrent, ...(isShared && { deduplicateBy: '*' }) }),
	};
	const { resource, operation, counted } = chosen;
	return { resource, operation, ...(counted && { dataToSend: 'autoMapInputData' }), options };
}

/** Checks that the sandbox processed no call more often than the items require. */
function expectBilledOnce({ call: { counted }, subjects, isShared }: History): void {
	if (counted === undefined) return;
	const processed = bench.sandbox.calls[counted].map((body) => (body as Json).id);
	for (const subject of new Set(subjects)) {
		const asked = subjects.filter((one) => one === subject).length;
		const billed = processed.filter((id) => id === `id_${subject}`).length;
		expect(billed, 'calls billed').toBeLessThanOrEqual(isShared ? 1 : asked);
	}
}

/** Returns the output items, grouped by input item. */
function byInput(run: NodeRun, inputs: number): INodeExecutionData[][] {
	const grouped: INodeExecutionData[][] = Array.from({ length: inputs }, () => []);
	for (const items of run.outputs) {
		const places = items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(places).toEqual(places.toSorted((one, other) => one - other));
		items.forEach((item, index) => grouped[places[index]].push(item));
	}
	return grouped;
}

/** Checks that the text of an error says what happened and what to do. */
function expectHelpful(message: unknown, description: unknown): void {
	const text = `${String(message)}\n${String(description)}`;
	expect(text).toMatch(/^.+\n.+/);
	expect(text).not.toMatch(/Something unexpected|undefined|\[object|TypeError|Cannot read/);
}

/**
 * Runs the calls of a history. Returns whether all of them succeeded. Throws if an output is neither correct nor a
 * helpful error.
 */
async function play(one: History): Promise<boolean> {
	const { sandbox } = bench;
	const { call: chosen, subjects, quirks, faults, onError, latencyMs } = one;
	sandbox.setQuirks({ prospectTotal: quirks.prospectTotal });
	const expected = await expectedResults(one);
	sandbox.setQuirks(quirks);
	sandbox.setLatency(latencyMs);
	for (const { faultCase, ...when } of faults)
		sandbox.addFault({ ...faultCase.fault, ...when, path: chosen.path });
	const run = await bench.run(parametersOf(one), { items: subjects.map(itemOf), onError });
	sandbox.clearFaults();
	sandbox.setLatency(0);
	expectBilledOnce(one);
	if (run.error !== undefined) {
		expect(onError).toBe('stopWorkflow');
		expect(run.outputs.flat()).toEqual([]);
		expectHelpful(run.error.message, run.error.description);
		return false;
	}
	const { prospectTotal = 0 } = quirks;
	let areAllRight = true;
	let incomplete = 0;
	for (const [input, outputs] of byInput(run, subjects.length).entries()) {
		const { json = {} } = outputs[0] ?? {};
		if ('error' in json && 'details' in json) {
			areAllRight = false;
			expect([outputs.length, onError === 'stopWorkflow']).toEqual([1, false]);
			expectHelpful(json.error, json.message);
			continue;
		}
		const results = expected.get(subjects[input]) ?? [];
		expect(outputs.map((item) => item.json)).toEqual(results);
		if (chosen.counted === 'prospect' && prospectTotal > results.length) incomplete++;
	}
	if (incomplete > 0) {
		const total = (incomplete * prospectTotal).toLocaleString('en-US');
		expect(run.hints.map(({ message }) => message).join()).toContain(`found ${total} results`);
	}
	return areAllRight;
}

test(
	`returns the correct result or a helpful error for each item (${numRuns} random histories)`,
	async () => {
		let right = 0;
		const property = fc.asyncProperty(history, async (one) => {
			const isRight = await play(one);
			// Without a fault, every call must succeed, perhaps after waits.
			if (one.faults.length === 0) expect(isRight).toBe(true);
			if (isRight) right++;
		});
		const limits = { interruptAfterTimeLimit: maxMs, markInterruptAsFailure: true };
		await fc.assert(property, { numRuns, seed, timeout: maxHistoryMs, ...limits });
		// Require many successful histories, because a node that always fails would pass otherwise.
		expect(right, 'lists that came whole').toBeGreaterThan(numRuns * 0.5);
	},
	maxMs + 60_000,
);
