/**
 * Tests Retry On Fail, with which n8n runs the node again for all items after an error. The node must not repeat calls
 * that may have been billed.
 */
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

/** Returns for each item how many requests with its domain have reached the service. */
function arrivals(): number[] {
	const sent = domainsOf(bench.sandbox.requests.map(({ body }) => body));
	return items.map(({ domain }) => sent.filter((other) => other === domain).length);
}

const once = items.map(() => 1);

describe('On Error: Stop, with a connection reset at the 30th of 50 calls', () => {
	test('sends each of 50 parallel calls in only one attempt, and reports the call whose connection was reset', async () => {
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

// The unit tests in paid-calls.test.mts check after which failures a later attempt can send a call again.
test.each([
	['a connection reset after the call was processed', { action: 'resetAfterHandling' }],
	['a response with success: false', { transform: 'successFalse' }],
] as const)(
	'sends each call in only one attempt, with On Error: Continue, despite %s',
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
	// In the execution data, each billed call counts once, although there were several attempts.
	expect(result.run.data.resultData.metadata).toEqual({ workspaceDataCalls: '50' });
	const refused = bench.sandbox.requests.filter(({ status }) => status === 429);
	expect(refused.length, 'refused').toBeGreaterThan(0);
});

test('counts calls of earlier attempts of Retry On Fail towards Limit Calls', async () => {
	bench.sandbox.addFault({ path, status: 500 });
	await run({ maxCalls: 30, maxConcurrent: 1 }, { onError: 'continueRegularOutput' });
	expect(arrivals()).toEqual(items.map((_, index) => (index < 30 ? 1 : 0)));
});

describe('an item whose expression returns a different value in a later attempt', () => {
	/**
	 * Returns parameters with an expression that returns `other` for one item, before (`<`) or after (`>`) the time in
	 * the item's field `moment`. For other items and times, it returns the item.
	 */
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

	test('sends nothing in an attempt with an invalid item, and every call once in the next attempt', async () => {
		const given = at(Date.now() + hourMs / 2, 50);
		const run = await bench.succeed(failing(30, '<'), { items: given, retryOnFail: slow });
		expect(arrivals()).toEqual(once);
		expect(domainsOf(jsonOf(run))).toEqual(domainsOf(items));
	});

	test('sends nothing in a later attempt in which an item has become invalid, and says so in the error', async () => {
		bench.sandbox.addFault({ path, skip: 1, times: 1, status: 429 });
		const given = at(Date.now() + hourMs / 2, 3);
		const { error } = await bench.run(failing(2, '>'), { items: given, retryOnFail: slow });
		expect(bench.sandbox.requests).toHaveLength(2);
		expect(`${error?.message} ${error?.description}`).toContain('Nothing was sent now');
	});

	test.each([
		['the same item', failing(0, '>'), 4, [0, 1, 2]],
		['the same content', changing(1, '>', '$input.first().json'), 3, [0, 1, 2]],
		['an item that shared a call', changing(1, '>', '{ domain: "b.example" }'), 3, [0, 0, 1]],
	])(
		'does not send a call again if an earlier attempt sent it for %s',
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
