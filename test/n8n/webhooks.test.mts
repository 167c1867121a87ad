import autocannon from 'autocannon';
import { beforeAll, expect, test } from 'vitest';
import { readExamples } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';

const webhooks = 600;
const inFlight = 200;
/** A real service takes its time, and meanwhile executions pile up in n8n. */
const latencyMs = 250;
/** On a machine with other work to do, n8n has been seen to take 8 webhooks per second. */
const timeoutMs = 300_000;

let example: WorkflowFile;

const lab = useOwnN8n({
	name: 'webhooks',
	sandbox: { companies: 10, latencyMs },
	workflows: async () => [(example = (await readExamples())['enrich-on-webhook'])],
});

beforeAll(() => lab.client.activate(example.id));

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
		url: lab.n8n.server.url,
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
	const most = Math.max(...lab.sandbox.requests.map((request) => request.inFlight));
	console.log(`Webhook-triggered enrichment, ${inFlight} in flight, service latency ${latencyMs} ms:
  webhooks            ${requests.total}
  failed              ${errors + non2xx + wrong.length}
  webhooks per second ${(requests.total / duration).toFixed(1)}
  answer time         median ${latency.p50} ms, 99 % below ${latency.p99} ms
  at the service      ${lab.sandbox.calls.enrich.length} enrichments, at most ${most} at once`);
}

test(
	'hundreds of webhooks in flight: each is answered, and enriched exactly once',
	async () => {
		const result = await callWebhooks();
		print(result);

		expect(result.wrong).toEqual([]);
		expect(result.figures.errors).toBe(0);
		expect(result.answered).toHaveLength(webhooks);
		const enriched = lab.sandbox.calls.enrich.map((body) => (body as { domain: string }).domain);
		expect(enriched.toSorted()).toEqual(result.answered.toSorted());
		expect(new Set(enriched).size).toBe(webhooks);
		expect(lab.sandbox.requests.every(({ status }) => status === 200)).toBe(true);
	},
	timeoutMs,
);
