/** Runs the examples for lists, scores, files, kept results, the trigger and webhooks in a real n8n. */
import { parse as parseCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../sandbox/server.mts';
import {
	examplesAt,
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
import { openedWith } from './spreadsheet-program.mts';
import { changed } from './workflows.mts';

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
	workflows: (url) => examplesAt(url, examples),
});

beforeEach(() => {
	lab.sandbox.setQuirks({});
	mail.clear();
});

/** Runs an example from its trigger. Throws the error message of n8n if the execution fails. */
const run = async (name: string, trigger = manualTrigger): Promise<Execution> =>
	await lab.succeed(examples[name], trigger);

const idsInSandbox = () => idsHeld(lab.sandbox).toSorted();

test('uses the same credential in every example, and explains every example in a sticky note', () => {
	expect(Object.keys(examples).length, 'examples').toBeGreaterThanOrEqual(6);
	for (const example of Object.values(examples)) {
		const asks = ({ type, parameters }: (typeof example.nodes)[number]): boolean =>
			dataNodeTypes.test(type) || parameters.nodeCredentialType === 'workspaceDataApi';
		const dataNodes = example.nodes.filter(asks);
		expect(dataNodes.length, example.name).toBeGreaterThan(0);
		// Confirm Changes sends no request to the service, so n8n shows no credential for the node.
		for (const node of dataNodes.filter(({ parameters }) => parameters.operation !== 'confirm')) {
			const credentials = { workspaceDataApi: sandboxCredential };
			expect(node).toMatchObject({ credentials });
		}
		expect(example.nodes.map(({ type }) => type)).toContain('n8n-nodes-base.stickyNote');
	}
});

test('writes every company into one CSV file (scheduled-export-of-companies)', async () => {
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

describe('the example loop-over-pages-with-the-cursor', () => {
	const name = 'loop-over-pages-with-the-cursor';
	const pagesOf = (execution: Execution) =>
		fieldsOf(execution, 'Work with this page').map(({ ids }) => ids as string[]);

	test('processes a list page by page, and each company once', async () => {
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

	test('reads each page once if the service returns smaller pages than requested', async () => {
		lab.sandbox.setQuirks({ silentPageCap: 50 });
		const execution = await run(name);

		expect(pagesOf(execution).flat().toSorted()).toEqual(idsInSandbox());
		expect(lab.sandbox.requests).toHaveLength(Math.ceil(companies / 50));
		expect(itemsOf(execution, 'All pages done')).toHaveLength(1);
	});

	test('ends with an error and advice if the service returns larger pages than requested', async () => {
		lab.sandbox.setQuirks({ extraRecords: 50 });
		const execution = await lab.run(examples[name], manualTrigger);
		expect(execution.error?.message).toMatch(
			/The last 50 were left out.* Set Limit of ".*" to 150,/,
		);
		expect(itemsOf(execution, 'All pages done')).toEqual([]);
		expect(lab.sandbox.requests).toHaveLength(1);
	});
});

test('scores each deal of a list once, and routes every row by its score (score-a-list-and-route-by-score)', async () => {
	const execution = await run('score-a-list-and-route-by-score');

	const ids = fieldsOf(execution, 'One item per deal').map(({ id }) => String(id));
	const now = fieldsOf(execution, 'Deals to call now');
	const later = fieldsOf(execution, 'Deals to wait with');
	expect([...now, ...later].map(({ id }) => String(id)).toSorted()).toEqual(ids.toSorted());
	const isHigh = ({ score }: Record<string, unknown>): boolean =>
		(score as { score: number }).score >= 60;
	expect(now.every(isHigh)).toBe(true);
	expect(later.some(isHigh)).toBe(false);
	for (const { id, name, score } of [...now, ...later]) {
		expect(name).toEqual(expect.any(String));
		expect(score).toMatchObject({ object_type: 'deal', id });
	}
	expect(lab.sandbox.calls.score).toHaveLength(new Set(ids).size);
});

describe('the example changed-companies-by-mail', () => {
	const hoursAgo = (hours: number): string =>
		new Date(Date.now() - hours * 3_600_000).toISOString();
	// Company that changed before the last seven days, which end at the start of today. The extra two hours allow for
	// daylight saving time.
	const before = { id: 'c1', name: 'Before', updated_at: hoursAgo(8 * 24 + 2) };
	const lastWeek = { id: 'c2', name: 'Last "week"', updated_at: hoursAgo(3 * 24) };
	const today = { id: 'c3', name: 'Today', updated_at: hoursAgo(0) };

	/** Runs the example changed-companies-by-mail. The service returns only these companies. */
	async function runWith(items: Record<string, unknown>[]): Promise<void> {
		const pagination = { page: 1, page_size: 100, total: items.length };
		const body = { success: true, data: { items }, meta: { ctx_id: 'ctx_weekly', pagination } };
		lab.sandbox.addFault({ path: '/v2/public/companies', status: 200, body });
		await run('changed-companies-by-mail', 'Every Monday at 07:00');
	}

	test('emails a CSV file of the companies that changed in the seven days before today', async () => {
		await runWith([before, lastWeek, today]);

		for (const { query } of lab.sandbox.requests) expect(query).toHaveProperty('industry');
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

	test('emails the Electronics companies that changed after the date in the sticky note', async () => {
		const example = examples['changed-companies-by-mail'];
		const [, since] = /_Changed After_ to `([^`]+)`/.exec(JSON.stringify(example)) ?? [];
		const copy = changed(example, 'Get changed companies', ({ parameters }) => {
			(parameters.options as Record<string, unknown>).changedAfter = since;
		});
		const id = newWorkflowId();
		await lab.n8n.store({ ...copy, id });
		const execution = await lab.succeed({ id }, 'Every Monday at 07:00');

		const isElectronics = ({ industry }: Record<string, unknown>) => industry === 'Electronics';
		const records = [...lab.sandbox.records('company')].filter(isElectronics).length;
		expect(records).toBeGreaterThan(0);
		expect(fieldsOf(execution, 'Get changed companies')).toMatchObject([{ records, isLast: true }]);
		const { subject } = await mail.next();
		expect(subject).toBe(`Companies that changed last week: ${records}`);
	});

	test('sends no email if no company changed in the seven days before today', async () => {
		await runWith([before, today]);
		expect(mail.mails).toEqual([]);
	});
});

test('stores one row for each changed company, and pays for no company twice (changed-companies-to-enrich)', async () => {
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

test('pays for each company once in three runs, and repeats only a failed call (paid-once-kept)', async () => {
	const node = 'Enrich the company';
	const runAndPay = async () => {
		lab.sandbox.clearRequests();
		const execution = await run('paid-once-kept');
		const paid = domainsOf(lab.sandbox.calls.enrich).toSorted();
		return { execution, paid, results: fieldsOf(execution, node) };
	};
	// Let the call for one company fail in the first run.
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

test('writes an Excel file in which ids with leading zeros and long numbers stay text (companies-as-xlsx)', async () => {
	const text = { id: '0012', name: '3-4', domain: '1E5', phone: '+49 30 1234567890123456' };
	const company = { ...text, updated_at: '2026-11-24T16:05:00Z', notes: 'not asked for' };
	const pagination = { page: 1, page_size: 100, total: 1 };
	const body = { success: true, data: { items: [company] }, meta: { pagination } };
	lab.sandbox.addFault({ path: '/v2/public/companies', status: 200, body });
	const execution = await run('companies-as-xlsx');

	const [{ binary }] = itemsOf(execution, 'Make the workbook');
	expect(binary?.data).toMatchObject({ fileName: 'companies.xlsx' });
	const file = await lab.client.readFile(String(binary?.data.id));
	const cells = await openedWith('Calc MS Excel 2007 XML', Buffer.from(await file.arrayBuffer()));
	expect(cells).toEqual([
		...Object.keys(text),
		'updated_at',
		...Object.values(text),
		company.updated_at,
	]);
});

test("updates a company with HTTP Request and this package's credential (update-a-record-by-http-request)", async () => {
	const execution = await run('update-a-record-by-http-request');
	const [{ id }] = fieldsOf(execution, 'A company to change');
	const changed = [...lab.sandbox.records('company')].find((company) => company.id === id);
	expect(changed).toMatchObject({ name: 'New name', revision: 2 });
	expect(lab.sandbox.requests).toMatchObject([{ method: 'PATCH', credential: 'v2-full' }]);
	expect(JSON.stringify(execution)).not.toContain(sandboxCredentials.v2Full);
});

describe('the example enrich-on-webhook', () => {
	const key = { [webhookHeader.name]: webhookHeader.value };
	const post = async (body: object, headers: Record<string, string> = key): Promise<Response> =>
		await postJson(`${lab.n8n.server.url}/webhook/enrich-company`, body, headers);

	beforeAll(async () => await lab.client.activate(examples['enrich-on-webhook'].id));

	test('responds with HTTP 403 to a webhook request without the key, and sends no call', async () => {
		for (const headers of [{}, { [webhookHeader.name]: 'another' }]) {
			expect((await post({ domain: 'acme.example' }, headers)).status).toBe(403);
		}
		expect(lab.sandbox.requests).toEqual([]);
	});

	test('pays for a company once, even if three requests write its domain in different ways', async () => {
		const answers: unknown[] = [];
		for (const domain of ['acme.example', ' Acme.example', 'https://www.acme.example/about']) {
			const response = await post({ domain });
			expect(response.status).toBe(200);
			answers.push(await response.json());
		}
		expect(answers[0]).toMatchObject({ domain: 'acme.example' });
		for (const answer of answers) expect(answer).toEqual(answers[0]);
		expect(lab.sandbox.requests).toHaveLength(1);
	});

	test.each([{}, { domain: '' }, { domain: 'acme' }, { domain: null }])(
		'responds with HTTP 400 and the reason to the request body %j, and sends no call',
		async (body) => {
			const response = await post(body);
			expect(response.status).toBe(400);
			expect(await response.json()).toEqual({ error: expect.stringMatching(/^Send JSON/) });
			expect(lab.sandbox.requests).toEqual([]);
		},
	);

	test.each([
		[404, 422],
		[500, 502],
	])('turns HTTP %i from the service into HTTP %i with the reason', async (status, answered) => {
		lab.sandbox.addFault({ path: '/v2/enrich', status, body: { error: 'no such business' } });
		const response = await post({ domain: `fails-by-${status}.example` });
		expect(response.status).toBe(answered);
		expect(await response.json()).toEqual({ error: expect.stringContaining('no such business') });
	});
});
