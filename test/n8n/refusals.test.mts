/**
 * Tests throttling, an outage and a rejected API key in a real n8n. Unit tests in
 * test/unit/shared/client/waiting-together.test.mts check which requests wait after throttling.
 */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { fieldsOf } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { chain, enrichNode, items, manualTrigger } from './workflows.mts';

const latencyMs = 100;
const companies = companiesNamed('refused', 80);
const throttled = companies.slice(6, 8).map(({ domain }) => domain);
const maxMs = 5_000;

const options = { maxConcurrent: 5, requests: { values: { retryFor: 10 } } };
const workflow = chain('Two are refused', [
	manualTrigger(),
	items(companies),
	enrichNode(options, { onError: 'continueRegularOutput' }),
]);

/** Returns the requests to which the sandbox responded with this HTTP status. */
const requestsWith = (status: number) =>
	lab.sandbox.requests.filter((request) => request.status === status);

const lab = useLab({
	name: 'refusals',
	sandbox: { companies: 30, latencyMs },
	workflows: () => [workflow],
});

test('completes 78 of 80 calls within 5 seconds, even if the service always throttles the other two calls', async () => {
	const headers = { 'retry-after': '3600' };
	for (const bodyHas of throttled)
		lab.sandbox.addFault({ bodyHas, status: 429, headers, times: Infinity });
	const execution = await lab.succeed(workflow);
	expect(domainsOf(fieldsOf(execution)).filter(Boolean)).toHaveLength(78);
	const [first] = lab.sandbox.requests;
	const accepted = lab.sandbox.requests.filter(({ status }) => status === 200);
	expect(new Set(domainsOf(accepted.map(({ body }) => body))).size).toBe(78);
	expect(Math.max(...accepted.map(({ at }) => at)) + latencyMs - first.at).toBeLessThan(maxMs);
});

test('loses at most 15 of 80 calls in an outage of four seconds, and sends no call twice', async () => {
	lab.sandbox.clearRequests();
	lab.sandbox.addFault({ path: '/v2/enrich', skip: 20, times: Infinity, status: 502 });
	const ended = lab.succeed(workflow);
	await expect.poll(() => requestsWith(502).length, { timeout: 60_000 }).toBeGreaterThan(4);
	await new Promise((resolve) => setTimeout(resolve, 4_000));
	lab.sandbox.clearFaults();
	const execution = await ended;
	expect(domainsOf(fieldsOf(execution)).filter(Boolean).length).toBeGreaterThanOrEqual(65);
	expect(lab.sandbox.requests).toHaveLength(80);
});

test('sends fewer than 15 of 80 calls if the service rejects the API key', async () => {
	lab.sandbox.clearRequests();
	lab.sandbox.addFault({ path: '/v2/enrich', times: Infinity, status: 401 });
	await lab.succeed(workflow);
	expect(requestsWith(401).length).toBeLessThan(15);
});
