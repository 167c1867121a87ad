import { afterEach, describe, expect, it } from 'vitest';

import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 1_030 });
const trigger = companyTrigger(bench);

afterEach(() => bench.sandbox.setUnkind({}));

// The specification does not say that a cursor leads to the same record with another `limit`.
describe('a service whose cursors count pages', () => {
	it.each([
		{ maxRecordsPerPoll: 250 },
		{ maxRecordsPerPoll: 1_000 },
		{ maxRecordsPerPoll: 90, pageSize: 60 },
		{ maxRecordsPerPoll: 1_000, pageSize: 70 },
	])('has every record delivered once with %o', async (options) => {
		bench.sandbox.setUnkind({ cursorsCountPages: true });
		const poller = await trigger({ startFrom: 'beginning', options });
		const delivered = idsOf(await poller.drain());
		const held = [...bench.sandbox.records('company')].map(({ id }) => String(id));
		expect(delivered.toSorted()).toEqual(held.toSorted());
	});
});
