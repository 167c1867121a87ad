import { beforeEach, describe, expect, test } from 'vitest';
import { sampleCases, type SampleCase } from '../../../samples.mts';
import { countsOf } from '../../../sandbox/object-types.mts';
import { faultCases, type FaultCase } from './fault-cases.mts';
import { hurry } from '../../harness/clock.mts';
import { jsonOf, useSandbox, type NodeRun } from '../../harness/support.mts';

const RECORDS = 47;
const PAGE_SIZE = 10;
const PAGES = Math.ceil(RECORDS / PAGE_SIZE);

const bench = useSandbox(countsOf(RECORDS));

// Let the clock of the node run faster, because unit tests already check how long the node waits.
beforeEach(hurry);

function isErrorJson(json: Record<string, unknown>): boolean {
	return 'error' in json && 'details' in json;
}

async function runWith(fault: FaultCase, operation: SampleCase, page: number): Promise<NodeRun> {
	bench.sandbox.clearFaults();
	operation.prepare?.(bench.sandbox);
	bench.sandbox.clearRequests();
	const { path } = operation.requests.v2 ?? {};
	bench.sandbox.addFault({ ...fault.fault, path, skip: page });
	const options = {
		...(isList(operation) && paging(operation, { pageSize: PAGE_SIZE })),
		// Use a short timeout only if the request must time out. On a busy machine, normal responses can take longer.
		requests: { values: { timeout: fault.fault.action === 'hang' ? 400 : 10_000 } },
	};
	const parameters = { ...operation.parameters, options };
	return await bench.run(parameters, { onError: 'continueRegularOutput' });
}

/** Returns the option Pagination of an operation, with further values added. */
function paging({ parameters: { options } }: SampleCase, more: object) {
	const { pagination } = (options ?? {}) as { pagination?: { values: { page?: number } } };
	return { pagination: { values: { ...pagination?.values, ...more } } };
}

function readsBy(operation: SampleCase): string {
	return paging(operation, {}).pagination.values.page ? 'page' : 'cursor';
}

function expectRequests({ fault }: FaultCase, count: number): void {
	// With the short timeout, normal responses of a busy machine can also be too late. So allow more retries.
	const { requests } = bench.sandbox;
	if (fault.action === 'hang' && count > 1)
		expect(requests.length, 'requests').toBeGreaterThanOrEqual(count);
	else expect(requests).toHaveLength(count);
}

function processedCalls(): number {
	return Object.values(bench.sandbox.calls).flat().length;
}

function isList({ gives }: SampleCase): boolean {
	return typeof gives === 'object';
}

describe.each(sampleCases.filter(isList))('a fault in a list: $name', (operation) => {
	const cases = faultCases.filter(
		(fault) => fault.readsBy === undefined || fault.readsBy === readsBy(operation),
	);
	const positions = (fault: FaultCase): number[] => [fault.notOnFirstPage ? 1 : 0, 2, PAGES - 1];

	test.each(cases.filter((fault) => fault.reads === 'recovers'))(
		'returns every record exactly once despite the fault: $name',
		async (fault) => {
			for (const page of positions(fault)) {
				const run = await runWith(fault, operation, page);
				const ids = jsonOf(run).map((json) => json.id);
				expect(new Set(ids).size).toBe(RECORDS);
				expect(ids).toHaveLength(RECORDS);
				expectRequests(fault, PAGES + 1);
			}
		},
	);

	test.each(cases.filter((fault) => fault.reads === 'fails'))(
		'returns all records read before the fault, and an error with their number: $name',
		async (fault) => {
			// The node can notice a repeated cursor only if another page follows.
			const last = fault.notOnFirstPage ? PAGES - 2 : PAGES - 1;
			for (const page of positions(fault).map((position) => Math.min(position, last))) {
				const run = await runWith(fault, operation, page);
				const failed = jsonOf(run).at(-1) ?? {};
				const records = jsonOf(run).slice(0, -1);
				expect(isErrorJson(failed)).toBe(true);
				expect(bench.sandbox.requests).toHaveLength(page + 1);
				expect(failed.details).toMatchObject({ recordsRead: records.length });
				expect(new Set(records.map((json) => json.id)).size).toBe(records.length);
				expect(records.length, 'records').toBeGreaterThanOrEqual(page * PAGE_SIZE);
				await expectToResume(operation, failed, records);
			}
		},
	);
});

/**
 * Checks that a list which starts at the cursor in the error returns exactly the missing records. Does nothing for
 * lists that are read by page number.
 */
async function expectToResume(
	operation: SampleCase,
	failed: Record<string, unknown>,
	records: Array<Record<string, unknown>>,
): Promise<void> {
	const { nextCursor } = failed.details as { nextCursor?: string };
	if (readsBy(operation) !== 'cursor' || records.length === 0) return;
	// If the list repeats itself, the error must contain no cursor, because a repeated cursor cannot continue a list.
	if (String(failed.error).startsWith('The list repeats itself')) {
		expect(nextCursor).toBeUndefined();
		return;
	}
	expect(nextCursor).toEqual(expect.any(String));
	const options = { pagination: { values: { pageSize: PAGE_SIZE, startCursor: nextCursor } } };
	const rest = await bench.run({ ...operation.parameters, options });
	const ids = [...records, ...jsonOf(rest)].map((json) => json.id);
	expect(new Set(ids).size).toBe(RECORDS);
	expect(ids).toHaveLength(RECORDS);
}

describe.each(sampleCases.filter((sample) => !isList(sample)))('a fault in $name', (operation) => {
	const isSafe = operation.repeat === 'safe';

	test.each(faultCases.filter((fault) => !fault.listsOnly))(
		'lets the service process a call at most once despite the fault: $name',
		async (fault) => {
			const fails = (isSafe ? fault.reads : fault.calls) === 'fails';
			const run = await runWith(fault, operation, 0);
			expect(isErrorJson(jsonOf(run)[0] ?? {})).toBe(fails);
			expectRequests(fault, fails ? 1 : 2);
			if (isSafe) return;
			expect(processedCalls(), 'calls processed').toBeLessThanOrEqual(1);
			if (!fails) expect(processedCalls()).toBe(1);
			const uncertain = fails && fault.reads === 'recovers';
			const done = { acts: 'may have processed it', billed: 'may have processed and billed it' };
			const said = operation.repeat === 'acts' ? done.acts : done.billed;
			if (uncertain) expect(jsonOf(run)[0]?.message).toContain(said);
			if (operation.repeat === 'acts') expect(JSON.stringify(jsonOf(run))).not.toMatch(/bill/);
		},
	);
});
