/** Retry On Fail of n8n runs the node again with all items. Calls that may be billed are not sent again. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fault } from '../../../sandbox/types.mts';
import { companiesNamed, domainsOf } from '../../../n8n/service.mts';
import { setClockForward } from '../../harness/clock.mts';
import { jsonOf, type NodeRun, type RunOptions } from '../../harness/support.mts';
import { enrich, path, useEnrich } from './enriching.mts';

const retryOnFail = { maxTries: 3, waitBetweenTries: 1 };
const items = companiesNamed('company', 50);
const { bench, run: runOnce } = useEnrich(items);
const cut: Fault = { path, skip: 29, action: 'reset' };

function run(options: Record<string, unknown>, more: Partial<RunOptions> = {}): Promise<NodeRun> {
	return runOnce(options, { retryOnFail, ...more });
}

/** Returns how often the domain of each item reached the service. */
function arrivals(): number[] {
	const sent = domainsOf(bench.sandbox.requests.map(({ body }) => body));
	return items.map(({ domain }) => sent.filter((other) => other === domain).length);
}

const once = items.map(() => 1);

describe('Stop, with a connection cut at the 30th of 50 calls', () => {
	test('sends every call in flight once over all attempts, and reports the cut call', async () => {
		bench.sandbox.addFault({ ...cut, delayMs: 100 });
		const { error } = await run({ maxConcurrent: 50 });
		expect(arrivals()).toEqual(once);
		expect(bench.sandbox.calls.enrich).toHaveLength(49);
		expect(error?.description).toContain('may have processed and billed it');
	});

	test('does not send the remaining calls in a later attempt, because their results would be lost', async () => {
		bench.sandbox.addFault(cut);
		const { error } = await run({ maxConcurrent: 1 });
		expect(arrivals()).toEqual(items.map((_, index) => (index < 30 ? 1 : 0)));
		expect(error?.context).toMatchObject({ itemIndex: 29 });
	});
});

// paid-calls.test.mts checks after which failures a later attempt sends a call again.
test.each([
	['a connection cut after the call was processed', { action: 'resetAfterHandling' }],
	['success: false', { transform: 'successFalse' }],
] as const)(
	'sends each call once if Continue runs the node again after %s',
	async (_name, fault) => {
		bench.sandbox.addFault({ path, ...fault });
		const result = await run({ maxConcurrent: 1 }, { onError: 'continueRegularOutput' });
		expect(arrivals()).toEqual(once);
		expect(jsonOf(result).slice(1)).toEqual(
			items.slice(1).map(({ domain }) => expect.objectContaining({ domain })),
		);
		expect(jsonOf(result)[0]).toHaveProperty('error');
		expect(result.hints[0]?.message).toBe(
			'Sent 50 calls (may be billed), 50 of them in earlier attempts. 50 items were answered from an earlier attempt, without a new call.',
		);
	},
);

test('sends throttled calls again in the next attempt, so that each call is processed once', async () => {
	// Each failed attempt uses up at least one of the four faults, so the fifth attempt succeeds.
	bench.sandbox.addFault({ path, skip: 29, times: 4, status: 429 });
	const result = await run(
		{ requests: { values: { retryFor: 0 } } },
		{ retryOnFail: { ...retryOnFail, maxTries: 5 } },
	);
	expect(result.error).toBeUndefined();
	expect(domainsOf(jsonOf(result))).toEqual(domainsOf(items));
	expect(domainsOf(bench.sandbox.calls.enrich).toSorted()).toEqual(domainsOf(items));
	// The execution data counts each billed call once over all attempts.
	expect(result.run.data.resultData.metadata).toEqual({ workspaceDataCalls: '50' });
	const refused = bench.sandbox.requests.filter(({ status }) => status === 429);
	expect(refused.length, 'refused').toBeGreaterThan(0);
});

test('counts calls of earlier attempts towards Limit Calls', async () => {
	bench.sandbox.addFault({ path, status: 500 });
	await run({ maxCalls: 30, maxConcurrent: 1 }, { onError: 'continueRegularOutput' });
	expect(arrivals()).toEqual(items.map((_, index) => (index < 30 ? 1 : 0)));
});

describe('item whose expression changes between attempts', () => {
	/** Returns parameters with an expression that returns another value for one item, before or after a moment. */
	const changing = (index: number, when: string, other: string) => ({
		...enrich,
		dataToSend: 'json',
		options: { deduplicateBy: '*', maxConcurrent: 1, requests: { values: { retryFor: 0 } } },
		jsonBody: `={{ $itemIndex === ${index} && DateTime.now().toMillis() ${when} $json.moment ? ${other} : $json }}`,
	});
	const failing = (index: number, when: string) => changing(index, when, '$("No such node").item');
	const slow = { maxTries: 2, waitBetweenTries: 11 };
	const hourMs = 3_600_000;

	/** Moves the clock forward by an hour while n8n waits between two attempts. */
	beforeEach(() => {
		const wait = globalThis.setTimeout;
		vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
			if (ms === slow.waitBetweenTries) setClockForward(hourMs);
			return wait(work, ms);
		}) as typeof setTimeout);
	});

	const at = (moment: number, count: number) =>
		items.slice(0, count).map((item) => ({ ...item, moment }));

	test('sends nothing in a first attempt that would fail, and everything once in a later attempt', async () => {
		const given = at(Date.now() + hourMs / 2, 50);
		const run = await bench.succeed(failing(30, '<'), { items: given, retryOnFail: slow });
		expect(arrivals()).toEqual(once);
		expect(domainsOf(jsonOf(run))).toEqual(domainsOf(items));
	});

	test('sends nothing in a later attempt that would fail, and reports it', async () => {
		bench.sandbox.addFault({ path, skip: 1, times: 1, status: 429 });
		const given = at(Date.now() + hourMs / 2, 3);
		const { error } = await bench.run(failing(2, '>'), { items: given, retryOnFail: slow });
		expect(bench.sandbox.requests).toHaveLength(2);
		expect(`${error?.message} ${error?.description}`).toContain('Nothing was sent now');
	});

	test.each([
		['by item', failing(0, '>'), 4, [0, 1, 2]],
		['by content', changing(1, '>', '$input.first().json'), 3, [0, 1, 2]],
		['by an item that shared a call', changing(1, '>', '{ domain: "b.example" }'), 3, [0, 0, 1]],
	])(
		'does not pay again for a call of an earlier attempt, found %s',
		async (_how, node, sent, which) => {
			bench.sandbox.addFault({ path, skip: 1, times: 1, status: 429 });
			const all = at(Date.now() + hourMs / 2, 3);
			const given = which.map((index) => all[index]!);
			const result = await bench.succeed(node, { items: given, retryOnFail: slow });
			expect(jsonOf(result)).toHaveLength(3);
			expect(bench.sandbox.requests).toHaveLength(sent);
		},
	);
});
