/** Refusals in a real n8n: what is refused waits alone, and Retry For counts waits. */
import { beforeEach, expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { fieldsOf } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { chain, companiesNode, enrichNode, items, manualTrigger } from './workflows.mts';

const latencyMs = 100;
const companies = companiesNamed('refused', 80);
const refused = companies[6].domain;
const mostMs = 5_000;

const workflows = {
	calls: chain('One is refused', [
		manualTrigger(),
		items(companies),
		enrichNode(
			{ maxConcurrent: 5, requests: { values: { retryFor: 10 } } },
			{ onError: 'continueRegularOutput' },
		),
	]),
	list: chain('A list waits', [
		manualTrigger(),
		// Not automatic: trials of larger pages do not wait.
		companiesNode({
			pagination: { values: { pageSize: 30 } },
			requests: { values: { retryFor: 4 } },
		}),
	]),
};

const lab = useLab({
	name: 'refusals',
	sandbox: { companies: 30 },
	workflows: () => Object.values(workflows),
});

beforeEach(() => lab.sandbox.setLatency(0));

/** How long it takes, in ms, from the first request to the last of those that are not refused. */
async function timeOfOthers(): Promise<number> {
	const execution = await lab.succeed(workflows.calls);
	expect(domainsOf(fieldsOf(execution)).filter(Boolean)).toHaveLength(79);
	const [first] = lab.sandbox.requests;
	const others = lab.sandbox.requests.filter(({ status }) => status === 200);
	expect(new Set(domainsOf(others.map(({ body }) => body))).size).toBe(79);
	return Math.max(...others.map(({ at }) => at)) + latencyMs - first.at;
}

test.each([
	['without Retry-After', {}],
	['with Retry-After 2', { 'retry-after': '2' }],
	['with Retry-After 900', { 'retry-after': '900' }],
])(
	'one of 80 calls is always refused, %s: the others do not wait for it',
	async (_how, headers) => {
		lab.sandbox.setLatency(latencyMs);
		lab.sandbox.addFault({ bodyHas: refused, status: 429, headers, times: Infinity });
		expect(await timeOfOthers()).toBeLessThan(mostMs);
	},
);

test('Retry For 4 with Retry-After 4 waits, and reads', async () => {
	lab.sandbox.addFault({ status: 429, headers: { 'retry-after': '4' } });
	const execution = await lab.succeed(workflows.list);
	expect(fieldsOf(execution)).toHaveLength(30);
	const [first, second] = lab.sandbox.requests;
	expect(second.at - first.at).toBeGreaterThan(3_900);
});
