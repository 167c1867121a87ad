import { beforeAll, expect, test } from 'vitest';
import { readExamples } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';
import { postJson } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';

const inFlight = 200;
/** A real service takes its time, and meanwhile executions pile up in n8n. */
const latencyMs = 250;

let example: WorkflowFile;

const lab = useOwnN8n({
	name: 'webhooks',
	sandbox: { companies: 10, latencyMs },
	workflows: async () => [(example = (await readExamples())['enrich-on-webhook'])],
});

beforeAll(() => lab.client.activate(example.id));

// On a machine with other work to do, n8n has been seen to take 8 webhooks per second.
test(
	'hundreds of webhooks in flight: each is answered, and enriched exactly once',
	{ timeout: 300_000 },
	async () => {
		const companies = companiesNamed('company', 600);
		const url = `${lab.n8n.server.url}/webhook/enrich-company`;
		const answers: unknown[] = [];
		const started = performance.now();
		const callOneAfterTheOther = async (first: number): Promise<void> => {
			for (let place = first; place < companies.length; place += inFlight) {
				const response = await postJson(url, companies[place]);
				expect(response.status).toBe(200);
				answers[place] = await response.json();
			}
		};
		await Promise.all(Array.from({ length: inFlight }, (_, first) => callOneAfterTheOther(first)));
		const seconds = (performance.now() - started) / 1_000;
		const most = Math.max(...lab.sandbox.requests.map((request) => request.inFlight));
		console.log(
			`${companies.length} webhooks, ${inFlight} in flight, service latency ${latencyMs} ms: ${(companies.length / seconds).toFixed(1)} a second; at the service at most ${most} at once`,
		);

		expect(domainsOf(answers)).toEqual(domainsOf(companies));
		expect(domainsOf(lab.sandbox.calls.enrich).toSorted()).toEqual(domainsOf(companies));
		expect(lab.sandbox.requests.every(({ status }) => status === 200)).toBe(true);
	},
);
