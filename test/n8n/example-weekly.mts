import { parse as parseCsv } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { ExampleLab } from './examples-lab.mts';

/** The example that mails a CSV file every week. */
export function testWeeklyMail(example: () => ExampleLab): void {
	const hoursAgo = (hours: number): string =>
		new Date(Date.now() - hours * 3_600_000).toISOString();

	/** Lets the service have these companies. */
	function setCompanies(items: Record<string, unknown>[]): void {
		const pagination = { page: 1, page_size: 100, total: items.length };
		const body = { success: true, data: { items }, meta: { ctx_id: 'ctx_weekly', pagination } };
		example().lab.sandbox.addFault({ path: '/v2/public/companies', status: 200, body });
	}

	// The beginning of last week is seven to fourteen days ago, and an hour more or less where clocks change.
	const before = { id: 'c1', name: 'Before', updated_at: hoursAgo(14 * 24 + 2) };
	const lastWeek = { id: 'c2', name: 'Last "week"', updated_at: hoursAgo(7 * 24 - 2) };
	const today = { id: 'c3', name: 'Today', updated_at: hoursAgo(0) };

	async function run(): Promise<void> {
		const { lab, examples } = example();
		const { id } = examples['changed-companies-by-mail'];
		const execution = await lab.client.runWorkflow(id, 'Every Monday at 07:00');
		expect(execution.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
	}

	test('the companies that changed last week arrive as a CSV file', async () => {
		setCompanies([before, lastWeek, today]);
		await run();

		const { to, subject, attachments } = await example().mail.next();
		expect(to).toMatchObject([{ address: 'sales@example.com' }]);
		expect(subject).toBe('Companies that changed last week: 2');
		expect(attachments).toMatchObject([
			{
				disposition: 'attachment',
				mimeType: 'text/csv',
				filename: expect.stringMatching(/^companies \d{4}-\d{2}-\d{2}.*\.csv$/),
			},
		]);
		const file = Buffer.from(attachments[0].content as ArrayBuffer).toString();
		expect(parseCsv(file, { columns: true })).toEqual([lastWeek, today]);
	});

	test('no mail is sent where nothing changed', async () => {
		setCompanies([before]);
		await run();
		expect(example().mail.mails).toEqual([]);
	});
}
