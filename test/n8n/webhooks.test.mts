import autocannon from 'autocannon';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { readExamples, sandboxCredentialFile } from './imports.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';

const webhooks = 600;
const inFlight = 200;
/** A real service takes its time, and meanwhile executions pile up in n8n. */
const latencyMs = 250;
/** On a machine with other work to do, n8n has been seen to take 8 webhooks per second. */
const timeoutMs = 300_000;

let sandbox: Sandbox;
let n8n: N8nUnderTest;

beforeAll(async () => {
	sandbox = await startSandbox({ companies: 10, latencyMs });
	const workflow = (await readExamples())['enrich-on-webhook'];
	n8n = await startN8nUnderTest({
		name: 'webhooks',
		credentials: [sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full)],
		workflows: [workflow],
	});
	await n8n.client.activate(workflow.id);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

beforeEach(() => sandbox.clearRequests());
keepEvidenceOfFailures('webhooks', () => ({ logFiles: n8n ? [n8n.server.logFile] : [], sandbox }));

/** What the callers saw. */
interface LoadResult {
	/** Domains of the answers that were right. */
	answered: string[];
	/** Answers with another status, or for another company than was asked for. */
	wrong: string[];
	figures: autocannon.Result;
}

/** Calls the webhook for a different company each time, with many calls waiting for their answers at once. */
async function callWebhooks(): Promise<LoadResult> {
	const answered: string[] = [];
	const wrong: string[] = [];
	let asked = 0;
	const figures = await autocannon({
		url: n8n.server.url,
		connections: inFlight,
		amount: webhooks,
		timeout: 120,
		requests: [
			{
				method: 'POST',
				path: '/webhook/enrich-company',
				headers: { 'content-type': 'application/json' },
				setupRequest: (request, context) => {
					asked += 1;
					const domain = `company-${asked}.example`;
					Object.assign(context, { domain });
					return { ...request, body: JSON.stringify({ domain }) };
				},
				onResponse: (status, body, context) => {
					const { domain } = context as { domain: string };
					const isRight = status === 200 && body.includes(`"domain":"${domain}"`);
					(isRight ? answered : wrong).push(isRight ? domain : `${status} ${domain}: ${body}`);
				},
			},
		],
	});
	return { answered, wrong, figures };
}

function print({ figures, wrong }: LoadResult): void {
	const { requests, latency, duration, errors, non2xx } = figures;
	const most = Math.max(...sandbox.requests.map((request) => request.inFlight));
	console.log(`Webhook-triggered enrichment, ${inFlight} in flight, service latency ${latencyMs} ms:
  webhooks            ${requests.total}
  failed              ${errors + non2xx + wrong.length}
  webhooks per second ${(requests.total / duration).toFixed(1)}
  answer time         median ${latency.p50} ms, 99 % below ${latency.p99} ms
  at the service      ${sandbox.calls.enrich.length} enrichments, at most ${most} at once`);
}

test(
	'hundreds of webhooks in flight: each is answered, and enriched exactly once',
	async () => {
		const result = await callWebhooks();
		print(result);

		expect(result.wrong).toEqual([]);
		expect(result.figures.errors).toBe(0);
		expect(result.answered).toHaveLength(webhooks);
		const enriched = sandbox.calls.enrich.map((body) => (body as { domain: string }).domain);
		expect(enriched.toSorted()).toEqual(result.answered.toSorted());
		expect(new Set(enriched).size).toBe(webhooks);
		expect(sandbox.requests.every(({ status }) => status === 200)).toBe(true);
	},
	timeoutMs,
);
