import { beforeAll, expect, test } from 'vitest';
import type { ExampleLab } from './examples-lab.mts';
import { openLink } from './mail-server.mts';

/** The example whose agent has to wait for a person: with a scripted model, and a mail server that the test reads. */
export function testApproval(example: () => ExampleLab): void {
	const name = 'prospect-after-approval-by-mail';
	const asked = { industry: 'Logistics', country: 'Germany' };

	beforeAll(async () => {
		const { lab, examples } = example();
		await lab.client.activate(examples[name].id);
	});

	/** Fills in the form, and gives the mail that asks for approval, when n8n waits for it. */
	async function askForCompanies() {
		const { lab, examples, mail, model } = example();
		model.follow((request, turn) =>
			turn === 1
				? { callTool: { toolParameters: asked, hitlParameters: {} } }
				: { say: `The tool said: ${String(request.messages.at(-1)?.content)}` },
		);
		const form = new FormData();
		form.set('field-0', 'Hauliers in Germany');
		form.set('field-1', 'somebody@example.com');
		const response = await fetch(`${lab.n8n.server.url}/form/find-companies`, {
			method: 'POST',
			body: form,
		});
		expect(response.status).toBe(200);
		const question = await mail.next();
		const [executionId] = await lab.client.listExecutions(examples[name].id);
		await expect
			.poll(() => lab.client.request('GET', `/executions/${executionId}`))
			.toMatchObject({ status: 'waiting' });
		return { question, executionId };
	}

	test('nothing is sent before a person has approved, then the search runs once', async () => {
		const { lab, mail } = example();
		const { question, executionId } = await askForCompanies();

		expect(question.to).toMatchObject([{ address: 'approver@example.com' }]);
		const text = question.html?.replaceAll(/<[^>]*>/g, ' ');
		expect(text).toContain('Industry: Logistics');
		expect(text).toContain('Country: Germany');
		expect(text).toContain('Hauliers in Germany');
		expect(lab.sandbox.requests).toEqual([]);

		await openLink(question, 'approved=true');
		const execution = await lab.client.waitForExecution(executionId);
		expect(execution.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
		expect(lab.sandbox.calls.prospect).toEqual([{ ...asked, limit: 5 }]);
		expect(lab.sandbox.requests).toHaveLength(1);
		const answer = await mail.next();
		expect(answer.to).toMatchObject([{ address: 'somebody@example.com' }]);
		expect(answer.text).toContain('prospect_id');
	});

	test('a search that was declined is not sent, and the agent is told so', async () => {
		const { lab, mail } = example();
		const { question, executionId } = await askForCompanies();

		await openLink(question, 'approved=false');
		const execution = await lab.client.waitForExecution(executionId);
		expect(execution.status).toBe('success');
		expect(lab.sandbox.requests).toEqual([]);
		expect((await mail.next()).text).toMatch(/The tool said: .*rejected the tool call/);
	});
}
