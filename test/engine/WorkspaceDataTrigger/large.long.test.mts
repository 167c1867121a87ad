import { expect, it } from 'vitest';
import { useSandbox } from '../harness/support.mts';
import { companyTrigger, idsOf, messagesOf } from '../harness/trigger-poller.mts';

const COMPANIES = 100_000;
const MOST_STATE = 64 * 1024;
const bench = useSandbox({ companies: COMPANIES });

it('delivers 100,000 records once each, over many polls and 20 restarts, with a small state', async () => {
	const options = { pageSize: 1_000, maxRecordsPerPoll: 2_500 };
	const poller = await companyTrigger(bench)({ startFrom: 'beginning', options });
	const delivered: string[] = [];
	let restarts = 0;
	let largestState = 0;
	for (let polls = 1; ; polls++) {
		const { items, logs } = await poller.poll();
		if (polls === 2) expect(messagesOf(logs)).toMatch(/read up to \d.*; the rest follows/);
		if (items === null) break;
		expect(items.length, 'items').toBeLessThanOrEqual(2_500);
		for (const id of idsOf(items)) delivered.push(id);
		largestState = Math.max(largestState, JSON.stringify(poller.stored).length);
		if (polls % 2 === 0 && restarts < 20) {
			poller.restart();
			restarts++;
		}
	}
	expect(restarts).toBe(20);
	expect(delivered).toHaveLength(COMPANIES);
	expect(new Set(delivered).size).toBe(COMPANIES);
	expect(largestState).toBeLessThan(MOST_STATE);
	// One page is read again by each poll: its first record shows that the saved cursor leads there. The rest: whoami, and the
	// last poll.
	const pagesPerPoll = 2_500 / 1_000 + 0.5 + 1;
	expect(bench.sandbox.requests.length, 'requests').toBeLessThanOrEqual(
		pagesPerPoll * (COMPANIES / 2_500) + 2,
	);
});
