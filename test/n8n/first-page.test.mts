/** The first page of a list in a real n8n: what happens there makes no list longer, neither this one nor another. */
import { expect, test } from 'vitest';
import type { Fault } from '../sandbox/types.mts';
import { useLab } from './lab.mts';
import { fieldsOf } from './rest.mts';
import { chain, dataNode, manualTrigger } from './workflows.mts';

const companies = 10_000;
const query = {
	resource: 'record',
	operation: 'query',
	objectType: 'company',
	returnAll: true,
	outputAs: 'ndjson',
};
const typeOf = (value: string) => ({ objectType: { __rl: true, mode: 'name', value } });
const [deals, list] = ['deal', 'company'].map((type) =>
	chain(`All of ${type}`, [manualTrigger(), dataNode({ ...query, ...typeOf(type) })]),
);

const lab = useLab({
	name: 'first-page',
	sandbox: {
		...{ companies, deals: 7 },
		unkind: { refusePageSizeAbove: { size: 1_000, status: 413 } },
	},
	workflows: () => [deals, list],
});

/** How many requests it takes to read all companies. */
async function requestsForAll(): Promise<number> {
	lab.sandbox.clearRequests();
	expect(fieldsOf(await lab.succeed(list))).toMatchObject([{ records: companies, isLast: true }]);
	return lab.sandbox.requests.length;
}

test.each<[string, Partial<Fault>]>([
	['502', { status: 502 }],
	['a reset', { action: 'reset' }],
	['429', { status: 429 }],
])(
	'10,000 records take at most 14 requests after three of %s, and then 10',
	async (_what, fault) => {
		lab.sandbox.addFault({ ...fault, times: 3 });
		expect(await requestsForAll()).toBeLessThanOrEqual(14);
		expect(await requestsForAll()).toBe(10);
	},
);

test('a type that is refused by large pages changes nothing for another one', async () => {
	lab.sandbox.addFault({ bodyHas: '"object_type":"deal"', status: 413, times: 2 });
	await lab.succeed(deals);
	expect(lab.sandbox.requests).toHaveLength(3);
	expect(await requestsForAll()).toBe(10);
});
