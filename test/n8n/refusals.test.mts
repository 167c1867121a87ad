/** Refusals in a real n8n; of which kind each may be, and what waits for it, is in test/unit/client/waiting-together.test.mts. */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { fieldsOf } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { chain, enrichNode, items, manualTrigger } from './workflows.mts';

const latencyMs = 100;
const companies = companiesNamed('refused', 80);
const neighbours = companies.slice(6, 8).map(({ domain }) => domain);
const maxMs = 5_000;

const options = { maxConcurrent: 5, requests: { values: { retryFor: 10 } } };
const workflow = chain('Two are refused', [
	manualTrigger(),
	items(companies),
	enrichNode(options, { onError: 'continueRegularOutput' }),
]);

const lab = useLab({
	name: 'refusals',
	sandbox: { companies: 30, latencyMs },
	workflows: () => [workflow],
});

test('two neighbours of 80 calls are always refused, with Retry-After 3600: the others neither wait nor fail for it', async () => {
	const headers = { 'retry-after': '3600' };
	for (const bodyHas of neighbours)
		lab.sandbox.addFault({ bodyHas, status: 429, headers, times: Infinity });
	const execution = await lab.succeed(workflow);
	expect(domainsOf(fieldsOf(execution)).filter(Boolean)).toHaveLength(78);
	const [first] = lab.sandbox.requests;
	const others = lab.sandbox.requests.filter(({ status }) => status === 200);
	expect(new Set(domainsOf(others.map(({ body }) => body))).size).toBe(78);
	expect(Math.max(...others.map(({ at }) => at)) + latencyMs - first.at).toBeLessThan(maxMs);
});
