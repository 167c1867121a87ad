import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newWorkflowId, readExamples, webhookCredential, webhookHeader } from './imports.mts';
import type { WorkflowFile } from './imports.mts';
import { useOwnN8n } from './lab.mts';
import { postJson } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { changed } from './workflows.mts';

const inFlight = 200;
/** A real service takes its time, and meanwhile executions pile up in n8n. */
const latencyMs = 250;

let example: WorkflowFile;
let unkept: WorkflowFile;

/** The same at another address, without Reuse Results: n8n's SQLite cannot look up for hundreds of executions at once. */
function withoutReuse(workflow: WorkflowFile): WorkflowFile {
	const elsewhere = changed(workflow, 'Enrichment wanted', (node) => {
		Object.assign(node, { webhookId: randomUUID() });
		node.parameters.path = 'enrich-unkept';
	});
	const copy = changed(elsewhere, 'Enrich the company', ({ parameters }) => {
		parameters.options = {};
	});
	return { ...copy, id: newWorkflowId() };
}

const lab = useOwnN8n({
	name: 'webhooks',
	sandbox: { companies: 10, latencyMs },
	credentials: () => [webhookCredential],
	workflows: async () => {
		example = (await readExamples())['enrich-on-webhook'];
		unkept = withoutReuse(example);
		return [example, unkept];
	},
});

beforeAll(async () => {
	for (const { id } of [example, unkept]) await lab.client.activate(id);
});

const key: Record<string, string> = { [webhookHeader.name]: webhookHeader.value };
const post = async (body: unknown, headers = key, path = 'enrich-company'): Promise<Response> =>
	await postJson(`${lab.n8n.server.url}/webhook/${path}`, body, headers);

test('who does not send the key gets 403, and nothing is paid for', async () => {
	for (const headers of [{}, { [webhookHeader.name]: 'another' }]) {
		expect((await post({ domain: 'acme.example' }, headers)).status).toBe(403);
	}
	expect(lab.sandbox.requests).toEqual([]);
});

test('a company is paid for once, however its domain is written', async () => {
	const answers: unknown[] = [];
	for (const domain of ['acme.example', ' Acme.example']) {
		answers.push(await (await post({ domain })).json());
	}
	expect(answers[0]).toMatchObject({ domain: 'acme.example' });
	expect(answers[1]).toEqual(answers[0]);
	expect(lab.sandbox.requests).toHaveLength(1);
});

// On a machine with other work to do, n8n has been seen to take 8 webhooks per second.
test(
	'hundreds of webhooks in flight: each is answered, and enriched exactly once',
	{ timeout: 300_000 },
	async () => {
		const companies = companiesNamed('company', 600);
		const answers: unknown[] = [];
		const started = performance.now();
		const callOneAfterTheOther = async (first: number): Promise<void> => {
			for (let place = first; place < companies.length; place += inFlight) {
				const response = await post(companies[place], key, 'enrich-unkept');
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
