import { parse as parseCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { modelCredentialFile } from './ai-workflow.mts';
import { testApproval } from './example-approval.mts';
import { testMcpServer } from './example-mcp.mts';
import { ageResults, testPaidOnce } from './example-paid-once.mts';
import { testTriggerExample } from './example-trigger.mts';
import { testWeeklyMail } from './example-weekly.mts';
import type { ExampleLab } from './examples-lab.mts';
import { newWorkflowId, readExamples, sandboxCredential } from './imports.mts';
import type { Examples } from './imports.mts';
import { useLab } from './lab.mts';
import { startMailServer } from './mail-server.mts';
import type { MailServer } from './mail-server.mts';
import { mcpCredentialFile } from './mcp-client.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { startScriptedModel } from './scripted-model.mts';
import type { ScriptedModel } from './scripted-model.mts';

const companies = 2_503;
const manualTrigger = 'When clicking "Execute workflow"';
const dataNodeTypes = /^n8n-nodes-workspace-data\.workspaceData(Tool|Trigger)?$/;

let mail: MailServer;
let model: ScriptedModel;
let examples: Examples;

beforeAll(async () => {
	mail = await startMailServer();
	model = await startScriptedModel();
	examples = await readExamples(newWorkflowId);
});
afterAll(async () => {
	await model?.stop();
	await mail?.stop();
});

const lab = useLab({
	name: 'examples',
	sandbox: { companies },
	credentials: () => [
		mail.credential,
		mcpCredentialFile,
		{ ...modelCredentialFile(model.url), id: 'yourModel', name: 'Your model' },
	],
	workflows: () => [...Object.values(examples), ageResults],
});

beforeEach(() => {
	lab.sandbox.setUnkind({});
	mail.clear();
});

/** Runs an example from its trigger and fails with n8n's own message when the execution failed. */
async function run(name: string, trigger: string): Promise<Execution> {
	return await lab.succeed(examples[name], trigger);
}

function idsInSandbox(): unknown[] {
	return [...lab.sandbox.records('company')].map(({ id }) => id).sort();
}

test('the files: every Workspace Data node names the one credential and a sticky note explains the workflow', () => {
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

describe('scheduled-export-of-companies', () => {
	test('puts every company into one CSV file, page after page by cursor', async () => {
		const execution = await run('scheduled-export-of-companies', 'Every night at 02:00');

		const files = itemsOf(execution, 'Get all companies').map(({ binary }) => binary?.data);
		expect(files).toMatchObject([
			{ mimeType: 'text/csv', fileName: expect.stringMatching(/^companies.*\.csv$/) },
		]);
		const text = await (await lab.client.readFile(String(files[0]?.id))).text();
		const records: { id: string }[] = parseCsv(text, { columns: true, bom: true });
		expect(records.map(({ id }) => id).toSorted()).toEqual(idsInSandbox());
		expect(lab.sandbox.requests).toHaveLength(Math.ceil(companies / 100));
		expect(lab.sandbox.requests.filter(({ query }) => 'page' in query)).toEqual([]);
		expect(lab.sandbox.requests[0].query).toEqual({ sort: 'updated_at', limit: '100' });
	});
});

describe('loop-over-pages-with-the-cursor', () => {
	test('handles each page by itself: by the cursor of the one before, every company once, and one request more proves the end', async () => {
		const execution = await run('loop-over-pages-with-the-cursor', manualTrigger);

		const rounds = itemsOf(execution, 'Work with this page').map(
			({ json }) => json.ids as string[],
		);
		const pages = Math.ceil(companies / 250);
		expect(rounds).toHaveLength(pages);
		expect(Math.max(...rounds.map(({ length }) => length))).toBe(250);
		expect(rounds.flat().toSorted()).toEqual(idsInSandbox());
		expect(lab.sandbox.requests).toHaveLength(pages + 1);
		expect(itemsOf(execution, 'All pages done')).toHaveLength(1);

		const queries = lab.sandbox.requests.map(({ query }) => query);
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
		lab.sandbox.setUnkind({ silentPageCap: 100 });
		const execution = await run('loop-over-pages-with-the-cursor', manualTrigger);

		const ids = itemsOf(execution, 'Work with this page').flatMap(({ json }) => json.ids);
		expect(ids.toSorted()).toEqual(idsInSandbox());
		// Ten rounds of 100, 100 and 50 companies, the last three, and these once more.
		expect(lab.sandbox.requests).toHaveLength(32);
		expect(itemsOf(execution, 'All pages done')).toHaveLength(1);
	});

	test('larger pages: an error says what to change, and nothing claims that all is done', async () => {
		lab.sandbox.setUnkind({ extraRecords: 50 });
		const example = examples['loop-over-pages-with-the-cursor'];
		const execution = await lab.client.runWorkflow(example.id, manualTrigger);
		expect(execution.status).toBe('error');
		const limit = /The last 50 were left out.* Set Limit of ".*" to (\d+),/.exec(
			execution.error?.message ?? '',
		)?.[1];
		expect(limit).toBe('300');
		expect(itemsOf(execution, 'All pages done')).toEqual([]);
		expect(lab.sandbox.requests).toHaveLength(1);
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
		expect(lab.sandbox.requests.map(({ path }) => path)).toEqual(deals.map(() => '/v2/score'));
		expect(lab.sandbox.calls.score).toHaveLength(deals.length);
		expect(lab.sandbox.calls.score).toEqual(
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
		expect(lab.sandbox.calls.score).toHaveLength(new Set(deals.map(({ id }) => id)).size);
	});
});

const others = (): ExampleLab => ({ lab, examples, mail, model });
describe('mcp-server-with-workspace-data-tools', () => testMcpServer(others));
describe('prospect-after-approval-by-mail', () => testApproval(others));
describe('changed-companies-by-mail', () => testWeeklyMail(others));
describe('changed-companies-to-enrich', () => testTriggerExample(others));
describe('paid-once-kept', () => testPaidOnce(others));
