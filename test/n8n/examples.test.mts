/** The examples that lists, scores, files, kept results, the trigger and webhooks are in. */
import { parse as parseCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
	newWorkflowId,
	readExamples,
	sandboxCredential,
	webhookCredential,
	webhookHeader,
} from './imports.mts';
import type { Examples } from './imports.mts';
import { useLab } from './lab.mts';
import { startMailServer } from './mail-server.mts';
import type { MailServer } from './mail-server.mts';
import { fieldsOf, itemsOf, postJson } from './rest.mts';
import type { Execution } from './rest.mts';
import { domainsOf, idsHeld } from './service.mts';

const companies = 2_503;
const manualTrigger = 'When clicking "Execute workflow"';
const dataNodeTypes = /^n8n-nodes-workspace-data\.workspaceData(Tool|Trigger)?$/;

let mail: MailServer;
let examples: Examples;

beforeAll(async () => {
	mail = await startMailServer();
	examples = await readExamples(newWorkflowId);
});
afterAll(async () => await mail?.stop());

const lab = useLab({
	name: 'examples',
	sandbox: { companies },
	credentials: () => [mail.credential, webhookCredential],
	workflows: () => Object.values(examples),
});

beforeEach(() => {
	lab.sandbox.setUnkind({});
	mail.clear();
});

/** Runs an example from its trigger and fails with n8n's own message when the execution failed. */
const run = async (name: string, trigger = manualTrigger): Promise<Execution> =>
	await lab.succeed(examples[name], trigger);

const idsInSandbox = () => idsHeld(lab.sandbox).toSorted();

test('the files: every Workspace Data node names the one credential and a sticky note explains the workflow', () => {
	expect(Object.keys(examples).length, 'examples').toBeGreaterThanOrEqual(6);
	for (const example of Object.values(examples)) {
		const dataNodes = example.nodes.filter(({ type }) => dataNodeTypes.test(type));
		expect(dataNodes.length, example.name).toBeGreaterThan(0);
		// Confirm Changes asks the service for nothing, so n8n shows no credential there.
		for (const node of dataNodes.filter(({ parameters }) => parameters.operation !== 'confirm')) {
			const credentials = { workspaceDataApi: sandboxCredential };
			expect(node).toMatchObject({ typeVersion: 1, credentials });
		}
		expect(example.nodes.map(({ type }) => type)).toContain('n8n-nodes-base.stickyNote');
	}
});

test('scheduled-export-of-companies puts every company into one CSV file, page after page by cursor', async () => {
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

describe('loop-over-pages-with-the-cursor', () => {
	const name = 'loop-over-pages-with-the-cursor';
	const pagesOf = (execution: Execution) =>
		fieldsOf(execution, 'Work with this page').map(({ ids }) => ids as string[]);

	test('handles each page by itself: by the cursor of the one before, every company once', async () => {
		const execution = await run(name);

		const pages = pagesOf(execution);
		expect(pages).toHaveLength(Math.ceil(companies / 100));
		expect(Math.max(...pages.map(({ length }) => length))).toBe(100);
		expect(pages.flat().toSorted()).toEqual(idsInSandbox());
		expect(itemsOf(execution, 'All pages done')).toHaveLength(1);

		const queries = lab.sandbox.requests.map(({ query }) => query);
		expect(queries).toHaveLength(pages.length);
		const [first, ...others] = queries;
		expect(first).toEqual({ sort: 'updated_at', limit: '100' });
		for (const query of others) expect(query).toEqual({ cursor: expect.any(String), limit: '100' });
		expect(new Set(others.map(({ cursor }) => cursor)).size).toBe(others.length);
	});

	test('with smaller pages than asked for: each is read once, because only the last of a round goes on', async () => {
		lab.sandbox.setUnkind({ silentPageCap: 50 });
		const execution = await run(name);

		expect(pagesOf(execution).flat().toSorted()).toEqual(idsInSandbox());
		expect(lab.sandbox.requests).toHaveLength(Math.ceil(companies / 50));
		expect(itemsOf(execution, 'All pages done')).toHaveLength(1);
	});

	test('with larger ones: an error says what to change, and nothing claims that all is done', async () => {
		lab.sandbox.setUnkind({ extraRecords: 50 });
		const execution = await lab.run(examples[name], manualTrigger);
		expect(execution.error?.message).toMatch(
			/The last 50 were left out.* Set Limit of ".*" to 150,/,
		);
		expect(itemsOf(execution, 'All pages done')).toEqual([]);
		expect(lab.sandbox.requests).toHaveLength(1);
	});
});

test('score-deals-and-keep-the-input puts each score beside the deal it belongs to', async () => {
	const execution = await run('score-deals-and-keep-the-input');

	const deals = fieldsOf(execution, 'One item per deal');
	expect(deals).toHaveLength(3);
	const scoreOf = ({ id }: { id?: unknown }) =>
		expect.objectContaining({ object_type: 'deal', id });
	const scored = deals.map((deal) => ({ ...deal, score: scoreOf(deal) }));
	expect(fieldsOf(execution, 'Score the deal')).toEqual(scored);
	expect(lab.sandbox.requests.map(({ path }) => path)).toEqual(deals.map(() => '/v2/score'));
	const sent = deals.map((deal) => ({ ...deal, object_type: 'deal' }));
	expect(new Set(lab.sandbox.calls.score)).toEqual(new Set(sent));
});

test('score-a-list-and-route-by-score scores each different deal once and routes all of them by their score', async () => {
	const execution = await run('score-a-list-and-route-by-score');

	const ids = fieldsOf(execution, 'One item per deal').map(({ id }) => String(id));
	const now = fieldsOf(execution, 'Deals to call now');
	const later = fieldsOf(execution, 'Deals to wait with');
	expect([...now, ...later].map(({ id }) => String(id)).toSorted()).toEqual(ids.toSorted());
	const isHigh = ({ score }: Record<string, unknown>): boolean =>
		(score as { score: number }).score >= 60;
	expect(now.every(isHigh)).toBe(true);
	expect(later.some(isHigh)).toBe(false);
	expect(lab.sandbox.calls.score).toHaveLength(new Set(ids).size);
});

describe('changed-companies-by-mail', () => {
	const hoursAgo = (hours: number): string =>
		new Date(Date.now() - hours * 3_600_000).toISOString();
	// The beginning of last week is seven to fourteen days ago, and an hour more or less where clocks change.
	const before = { id: 'c1', name: 'Before', updated_at: hoursAgo(14 * 24 + 2) };
	const lastWeek = { id: 'c2', name: 'Last "week"', updated_at: hoursAgo(7 * 24) };
	const today = { id: 'c3', name: 'Today', updated_at: hoursAgo(0) };

	/** Runs it where the service has these companies. */
	async function runWith(items: Record<string, unknown>[]): Promise<void> {
		const pagination = { page: 1, page_size: 100, total: items.length };
		const body = { success: true, data: { items }, meta: { ctx_id: 'ctx_weekly', pagination } };
		lab.sandbox.addFault({ path: '/v2/public/companies', status: 200, body });
		await run('changed-companies-by-mail', 'Every Monday at 07:00');
	}

	test('the companies that changed last week, and none of this week, arrive as a CSV file', async () => {
		await runWith([before, lastWeek, today]);

		const { to, subject, text, attachments } = await mail.next();
		expect(to).toMatchObject([{ address: 'sales@example.com' }]);
		expect(subject).toBe('Companies that changed last week: 1');
		expect(text).toMatch(
			/^Attached are the 1 companies that changed from \d+ \w+ \d{4} to \d+ \w+ \d{4}\.$/m,
		);
		const filename = expect.stringMatching(/^companies \d{4}-\d{2}-\d{2}.*\.csv$/);
		expect(attachments).toMatchObject([
			{ disposition: 'attachment', mimeType: 'text/csv', filename },
		]);
		const file = Buffer.from(attachments[0].content as ArrayBuffer).toString();
		expect(parseCsv(file, { columns: true })).toEqual([lastWeek]);
	});

	test('no mail is sent where nothing changed last week', async () => {
		await runWith([before, today]);
		expect(mail.mails).toEqual([]);
	});
});

test('changed-companies-to-enrich, with the records of "Fetch Test Event", keeps a row for each company and pays for none twice', async () => {
	const trigger = 'When a company changes';
	const first = await run('changed-companies-to-enrich', trigger);
	const ids = fieldsOf(first, trigger).map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(0);
	const rows = fieldsOf(first, 'Write its row');
	expect(rows.map(({ company_id }) => company_id).toSorted()).toEqual(ids.toSorted());
	for (const { enrichment } of rows) expect(String(enrichment)).toContain('"enriched_at"');
	expect(lab.sandbox.calls.enrich).toHaveLength(ids.length);

	await run('changed-companies-to-enrich', trigger);
	expect(lab.sandbox.calls.enrich).toHaveLength(ids.length);
});

test('paid-once-kept pays for each company once, and again for one that failed', async () => {
	const node = 'Enrich the company';
	const runAndPay = async () => {
		lab.sandbox.clearRequests();
		const execution = await run('paid-once-kept');
		const paid = domainsOf(lab.sandbox.calls.enrich).toSorted();
		return { execution, paid, results: fieldsOf(execution, node) };
	};
	// The first run cannot enrich one of them.
	lab.sandbox.addFault({ path: '/v2/enrich', skip: 2, status: 500 });
	const first = await runAndPay();
	const list = domainsOf(fieldsOf(first.execution, 'A list of companies'));
	const [failed] = domainsOf(fieldsOf(first.execution, node, 1));
	expect(list).toContain(failed);
	const different = [...new Set(list)].toSorted();
	expect(different.length).toBeLessThan(list.length);
	expect(first.paid).toEqual(different.filter((domain) => domain !== failed));
	expect(domainsOf(first.results)).toEqual(list.filter((domain) => domain !== failed));

	const second = await runAndPay();
	expect(second.paid).toEqual([failed]);
	expect(domainsOf(second.results)).toEqual(list);
	for (const { domain, enrichment } of second.results) {
		expect(enrichment).toMatchObject({ domain, enriched_at: expect.any(String) });
	}

	const third = await runAndPay();
	expect(third.paid).toEqual([]);
	expect(third.results).toEqual(second.results);
});

describe('enrich-on-webhook', () => {
	const post = async (domain: string, headers: Record<string, string>): Promise<Response> =>
		await postJson(`${lab.n8n.server.url}/webhook/enrich-company`, { domain }, headers);

	beforeAll(async () => await lab.client.activate(examples['enrich-on-webhook'].id));

	test('who does not send the key gets 403, and nothing is paid for', async () => {
		for (const headers of [{}, { [webhookHeader.name]: 'another' }]) {
			expect((await post('acme.example', headers)).status).toBe(403);
		}
		expect(lab.sandbox.requests).toEqual([]);
	});

	test('a company is paid for once, however its domain is written', async () => {
		const answers: unknown[] = [];
		for (const domain of ['acme.example', ' Acme.example']) {
			const response = await post(domain, { [webhookHeader.name]: webhookHeader.value });
			answers.push(await response.json());
		}
		expect(answers[0]).toMatchObject({ domain: 'acme.example' });
		expect(answers[1]).toEqual(answers[0]);
		expect(lab.sandbox.requests).toHaveLength(1);
	});
});
