/** Refusals in a real n8n: what is refused waits alone or fails alone, and Retry For counts waits. */
import { beforeEach, expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { fieldsOf } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { chain, companiesNode, enrichNode, items, manualTrigger } from './workflows.mts';

const latencyMs = 100;
const companies = companiesNamed('refused', 80);
const [refused, neighbour] = companies.slice(6).map(({ domain }) => domain);
const maxMs = 5_000;

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
async function timeOfOthers(count: number): Promise<number> {
	const execution = await lab.succeed(workflows.calls);
	expect(domainsOf(fieldsOf(execution)).filter(Boolean)).toHaveLength(count);
	const [first] = lab.sandbox.requests;
	const others = lab.sandbox.requests.filter(({ status }) => status === 200);
	expect(new Set(domainsOf(others.map(({ body }) => body))).size).toBe(count);
	return Math.max(...others.map(({ at }) => at)) + latencyMs - first.at;
}

test.each([
	['one without Retry-After', [refused], {}],
	['one with Retry-After 2', [refused], { 'retry-after': '2' }],
	['two neighbours with Retry-After 3600', [refused, neighbour], { 'retry-after': '3600' }],
])(
	'of 80 calls are always refused: %s; the others neither wait nor fail for it',
	async (_how, which, headers) => {
		lab.sandbox.setLatency(latencyMs);
		for (const bodyHas of which)
			lab.sandbox.addFault({ bodyHas, status: 429, headers, times: Infinity });
		expect(await timeOfOthers(80 - which.length)).toBeLessThan(maxMs);
	},
);

test('Retry For 4 with Retry-After 4 waits, and reads', async () => {
	lab.sandbox.addFault({ status: 429, headers: { 'retry-after': '4' } });
	const execution = await lab.succeed(workflows.list);
	expect(fieldsOf(execution)).toHaveLength(30);
	const [first, second] = lab.sandbox.requests;
	expect(second.at - first.at).toBeGreaterThan(3_900);
});
