import { parse as parseCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxCredentials, startSandbox } from '../sandbox/server.mts';
import type { Sandbox } from '../sandbox/server.mts';
import { modelCredentialFile } from './ai-workflow.mts';
import { keepEvidenceOfFailures } from './artifacts.mts';
import { testApproval } from './example-approval.mts';
import { testMcpServer } from './example-mcp.mts';
import { testWeeklyMail } from './example-weekly.mts';
import type { ExampleLab } from './examples-lab.mts';
import { readExamples, sandboxCredential, sandboxCredentialFile } from './imports.mts';
import type { Examples } from './imports.mts';
import { startMailServer } from './mail-server.mts';
import type { MailServer } from './mail-server.mts';
import { mcpCredentialFile } from './mcp-client.mts';
import { startN8nUnderTest } from './n8n-under-test.mts';
import type { N8nUnderTest } from './n8n-under-test.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { startScriptedModel } from './scripted-model.mts';
import type { ScriptedModel } from './scripted-model.mts';

const companies = 2_503;
const manualTrigger = 'When clicking "Execute workflow"';
const dataNodeTypes = /^n8n-nodes-workspace-data\.workspaceData(Tool|Trigger)?$/;

let sandbox: Sandbox;
let mail: MailServer;
let model: ScriptedModel;
let n8n: N8nUnderTest;
let examples: Examples;

beforeAll(async () => {
	sandbox = await startSandbox({ companies });
	mail = await startMailServer();
	model = await startScriptedModel();
	examples = await readExamples();
	n8n = await startN8nUnderTest({
		name: 'examples',
		credentials: [
			sandboxCredentialFile(sandbox.url, sandboxCredentials.v2Full),
			mail.credential,
			mcpCredentialFile,
			{ ...modelCredentialFile(model.url), id: 'yourModel', name: 'Your model' },
		],
		workflows: Object.values(examples),
	});
});

afterAll(async () => {
	await n8n?.stop();
	await model?.stop();
	await mail?.stop();
	await sandbox?.stop();
});

beforeEach(() => {
	sandbox.clearRequests();
	sandbox.clearFaults();
	sandbox.setUnkind({});
	mail.clear();
});

keepEvidenceOfFailures('examples', () => ({ logFiles: n8n ? [n8n.server.logFile] : [], sandbox }));

/** Runs an example from its trigger and fails with n8n's own message when the execution failed. */
async function run(name: string, trigger: string): Promise<Execution> {
	const execution = await n8n.client.runWorkflow(examples[name].id, trigger);
	expect(execution.error?.message).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

function idsInSandbox(): unknown[] {
	return [...sandbox.records('company')].map(({ id }) => id).sort();
}

describe('the files themselves', () => {
	test('every Workspace Data node names the one credential and a sticky note explains the workflow', () => {
		expect(Object.keys(examples).length).toBeGreaterThanOrEqual(6);
		for (const example of Object.values(examples)) {
			const dataNodes = example.nodes.filter(({ type }) => dataNodeTypes.test(type));
			expect(dataNodes.length, example.name).toBeGreaterThan(0);
			for (const node of dataNodes) {
				// It asks the service for nothing, so n8n shows no credential there.
				if (node.parameters.operation === 'confirm') continue;
				expect(node).toMatchObject({
					typeVersion: 1,
					credentials: { workspaceDataApi: sandboxCredential },
				});
			}
			expect(example.nodes.map(({ type }) => type)).toContain('n8n-nodes-base.stickyNote');
		}
	});

	test('the credential they name passes its test in n8n', async () => {
		const result = await n8n.client.testCredential(sandboxCredential.id);
		expect(result.status, result.message).toBe('OK');
		expect(sandbox.requests.map(({ path }) => path)).toEqual(['/v2/public/auth/whoami']);
	});
});

describe('scheduled-export-of-companies', () => {
	test('puts every company into one CSV file, page after page by cursor', async () => {
		const execution = await run('scheduled-export-of-companies', 'Every night at 02:00');

		const files = itemsOf(execution, 'Get all companies').map(({ binary }) => binary?.data);
		expect(files).toMatchObject([
			{ mimeType: 'text/csv', fileName: expect.stringMatching(/^companies.*\.csv$/) },
		]);
		const text = await (await n8n.client.readFile(String(files[0]?.id))).text();
		const records: { id: string }[] = parseCsv(text, { columns: true, bom: true });
		expect(records.map(({ id }) => id).toSorted()).toEqual(idsInSandbox());
		expect(sandbox.requests).toHaveLength(Math.ceil(companies / 100));
		expect(sandbox.requests.filter(({ query }) => 'page' in query)).toEqual([]);
		expect(sandbox.requests[0].query).toEqual({ sort: 'updated_at', limit: '100' });
	});
});

describe('loop-over-pages-with-the-cursor', () => {
	test('handles each page by itself: one request per page, one for the proof of the end, and every company once', async () => {
		const execution = await run('loop-over-pages-with-the-cursor', manualTrigger);

		const rounds = itemsOf(execution, 'Work with this page').map(
			({ json }) => json.ids as string[],
		);
		const pages = Math.ceil(companies / 250);
		expect(rounds).toHaveLength(pages);
		expect(Math.max(...rounds.map(({ length }) => length))).toBe(250);
		expect(rounds.flat().toSorted()).toEqual(idsInSandbox());
		expect(sandbox.requests).toHaveLength(pages + 1);
		expect(itemsOf(execution, 'All pages done')).toHaveLength(1);
	});

	test('starts without a cursor, then sends the previous cursor and never a page number', async () => {
		await run('loop-over-pages-with-the-cursor', manualTrigger);

		const queries = sandbox.requests.map(({ query }) => query);
		const [first, ...others] = queries.slice(0, -1);
		expect(first).toEqual({ sort: 'updated_at', limit: '250' });
		for (const query of others) {
			expect(query).toEqual({ cursor: expect.any(String), limit: '250' });
		}
		// After a cursor the total does not tell, so the last page is asked for once more, by a size that is believed.
		expect(queries.at(-1)).toEqual({ ...others.at(-1), limit: '100' });
		expect(new Set(others.map(({ cursor }) => cursor)).size).toBe(others.length);
	});
});

describe('loop-over-pages-with-the-cursor, with a service whose pages are not as asked for', () => {
	test('smaller pages: each one is read once, because only the last of a round goes on', async () => {
		sandbox.setUnkind({ silentPageCap: 100 });
		const execution = await run('loop-over-pages-with-the-cursor', manualTrigger);

		const ids = itemsOf(execution, 'Work with this page').flatMap(({ json }) => json.ids);
		expect(ids.toSorted()).toEqual(idsInSandbox());
		// Ten rounds of 100, 100 and 50 companies, the last three, and these once more.
		expect(sandbox.requests).toHaveLength(32);
		expect(itemsOf(execution, 'All pages done')).toHaveLength(1);
	});

	test('larger pages: an error says what to change, and nothing claims that all is done', async () => {
		sandbox.setUnkind({ extraRecords: 50 });
		const example = examples['loop-over-pages-with-the-cursor'];
		const execution = await n8n.client.runWorkflow(example.id, manualTrigger);
		expect(execution.status).toBe('error');
		const limit = /The last 50 were left out.* Set Limit of ".*" to (\d+),/.exec(
			execution.error?.message ?? '',
		)?.[1];
		expect(limit).toBe('300');
		expect(itemsOf(execution, 'All pages done')).toEqual([]);
		expect(sandbox.requests).toHaveLength(1);
	});
});

describe('enrich-on-webhook', () => {
	test('answers the caller with the enrichment and asks the service once', async () => {
		const { id } = examples['enrich-on-webhook'];
		await n8n.client.activate(id);
		const response = await fetch(`${n8n.server.url}/webhook/enrich-company`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ domain: 'fake-company.example' }),
		});
		await n8n.client.deactivate(id);

		expect(response.status).toBe(200);
		expect(await response.json()).toMatchObject({
			domain: 'fake-company.example',
			name: expect.any(String),
			enriched_at: expect.any(String),
		});
		expect(sandbox.requests).toHaveLength(1);
		expect(sandbox.requests[0]).toMatchObject({ method: 'POST', path: '/v2/enrich' });
		expect(sandbox.calls.enrich).toEqual([{ domain: 'fake-company.example' }]);
	});
});

describe('score-deals-and-keep-the-input', () => {
	test('puts each score beside the deal it belongs to', async () => {
		const execution = await run('score-deals-and-keep-the-input', manualTrigger);

		const deals = itemsOf(execution, 'One item per deal').map(({ json }) => json);
		const scored = itemsOf(execution, 'Score the deal').map(({ json }) => json);
		expect(deals).toHaveLength(3);
		expect(scored).toEqual(
			deals.map((deal) => ({
				...deal,
				score: expect.objectContaining({ object_type: 'deal', id: deal.id }),
			})),
		);
		expect(sandbox.requests.map(({ path }) => path)).toEqual(deals.map(() => '/v2/score'));
		expect(sandbox.calls.score).toHaveLength(deals.length);
		expect(sandbox.calls.score).toEqual(
			expect.arrayContaining(deals.map((deal) => ({ ...deal, object_type: 'deal' }))),
		);
	});
});

describe('score-a-list-and-route-by-score', () => {
	test('scores each different deal once and routes all of them by their score', async () => {
		const execution = await run('score-a-list-and-route-by-score', manualTrigger);

		const deals = itemsOf(execution, 'One item per deal').map(({ json }) => json);
		const routed = ['Deals to call now', 'Deals to wait with'].map((node) =>
			itemsOf(execution, node).map(({ json }) => json),
		);
		expect(routed.flat()).toHaveLength(deals.length);
		expect(
			routed
				.flat()
				.map(({ id }) => id)
				.toSorted(),
		).toEqual(deals.map(({ id }) => id).toSorted());
		const points = routed.map((list) =>
			list.map(({ score }) => (score as { score: number }).score),
		);
		expect(points[0].every((value) => value >= 60)).toBe(true);
		expect(points[1].every((value) => value < 60)).toBe(true);
		expect(sandbox.calls.score).toHaveLength(new Set(deals.map(({ id }) => id)).size);
	});
});

const lab = (): ExampleLab => ({ n8n, examples, sandbox, mail, model });
describe('mcp-server-with-workspace-data-tools', () => testMcpServer(lab));
describe('prospect-after-approval-by-mail', () => testApproval(lab));
describe('changed-companies-by-mail', () => testWeeklyMail(lab));
