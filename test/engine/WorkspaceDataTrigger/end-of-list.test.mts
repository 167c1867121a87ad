import type { INodeExecutionData } from 'n8n-workflow';
import { afterEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { createPoller, type Poller } from '../harness/trigger-poller.mts';
import {
	distinctOf,
	endedEarly,
	expectEachOnce,
	overestimated,
	provenShort,
	readWhole,
	RECORDS,
	titled,
	type EarlyEnd,
} from '../unkind/ends.mts';

const bench = useSandbox({ companies: RECORDS.followedCompany, orders: RECORDS.order });

afterEach(() => bench.sandbox.setUnkind({}));

/** A trigger, by default from the beginning of a list on. */
async function triggerOf({
	objectType,
	options = {},
	startFrom = 'beginning',
}: Omit<EarlyEnd, 'unkind'> & { startFrom?: 'beginning' | 'now' }): Promise<Poller> {
	// Several polls, each with room for a larger page.
	const maxRecordsPerPoll = objectType === 'order' ? 600 : 1_000;
	const parameters = {
		event: 'recordUpdated',
		objectType,
		startFrom,
		options: { maxRecordsPerPoll, ...options },
	};
	return await createPoller({ parameters, credential: bench.v2() });
}

/** Polls until one gives nothing or fails; what came of all, and the error. */
async function drained(
	poller: Poller,
): Promise<{ records: Array<Record<string, unknown>>; error: Error | undefined }> {
	const items: INodeExecutionData[] = [];
	for (let polls = 0; polls < 50; polls++) {
		try {
			const polled = await poller.poll();
			if (polled.items === null)
				return { records: items.map(({ json }) => json), error: undefined };
			items.push(...polled.items);
		} catch (error) {
			return { records: items.map(({ json }) => json), error: error as Error };
		}
	}
	throw new Error('The trigger does not come to rest.');
}

describe('every record is given once, from the beginning to the end', () => {
	it.each(titled(readWhole))('$title', async ({ unkind, ...how }) => {
		bench.sandbox.setUnkind(unkind);
		const poller = await triggerOf(how);
		const { records, error } = await drained(poller);
		expect(error?.message).toBeUndefined();
		expectEachOnce(bench.sandbox, how.objectType, records);
		// And then what changes.
		const changed = [...bench.sandbox.records(how.objectType)].slice(40, 50);
		const ids = changed.map(({ id }) => String(id));
		bench.sandbox.update(how.objectType, ids);
		const later = await drained(poller);
		expect(later.error?.message).toBeUndefined();
		expect(distinctOf(how.objectType, later.records)).toEqual(distinctOf(how.objectType, changed));
		expect(later.records).toHaveLength(10);
	});
});

describe('what does not come is an error in the list of executions that counts', () => {
	it.each(titled(provenShort))('$title: only $came', async (end) => {
		const { unkind, came, total = bench.sandbox.count(end.objectType), ...how } = end;
		bench.sandbox.setUnkind(unkind);
		const poller = await triggerOf(how);
		const { records, error } = await drained(poller);
		expect(error?.message).toBe(endedEarly(came, total));
		expect(error).toMatchObject({ description: expect.stringContaining('Ignore Total') });
		expect(distinctOf(how.objectType, records).size).toBe(records.length);
		expect(records.length).toBeLessThanOrEqual(came);
		// It stays an error while the service is like that, and nothing comes twice afterwards.
		const again = await drained(poller);
		expect(again.error?.message).toContain('The list ended early');
		bench.sandbox.setUnkind({});
		const rest = await drained(poller);
		expect(rest.error?.message).toBeUndefined();
		expectEachOnce(bench.sandbox, how.objectType, [...records, ...again.records, ...rest.records]);
	});

	it.each(titled(overestimated))(
		'$title: an error with both numbers, and nothing twice',
		async (end) => {
			const { unkind, came, total = bench.sandbox.count(end.objectType), ...how } = end;
			bench.sandbox.setUnkind(unkind);
			// In several polls, each continues from a cursor, where the total cannot tell: all records come.
			const inPortions = await drained(await triggerOf(how));
			expect(inPortions.error?.message).toBeUndefined();
			expectEachOnce(bench.sandbox, how.objectType, inPortions.records);
			const options = { maxRecordsPerPoll: 1_000 };
			const { records, error } = await drained(await triggerOf({ ...how, options }));
			expect(error?.message).toBe(endedEarly(came, total));
			// Until it is read with Ignore Total, nothing of it is given.
			expect(records).toEqual([]);
		},
	);

	it('a list that comes newest first', async () => {
		bench.sandbox.setUnkind({ descending: true });
		const { error } = await drained(await triggerOf({ objectType: 'order' }));
		expect(error).toMatchObject({ message: expect.stringMatching(/order|newest/i) });
	});
});

describe('from now on', () => {
	it.each([{ rowCap: 250 }, { rowCap: 50 }, { nothingAbove: 100 }, { total: 'absent' as const }])(
		'nothing old is given where lists seem to end early, %j',
		async (unkind) => {
			bench.sandbox.setUnkind(unkind);
			const poller = await triggerOf({ objectType: 'order', startFrom: 'now' });
			expect(await drained(poller)).toEqual({ records: [], error: undefined });
			const changed = [...bench.sandbox.records('order')].slice(20, 30);
			const ids = changed.map(({ id }) => String(id));
			bench.sandbox.update('order', ids);
			const { records, error } = await drained(poller);
			expect(error?.message).toBeUndefined();
			expect(records.map(({ id }) => String(id)).toSorted()).toEqual(ids.toSorted());
		},
	);
});
