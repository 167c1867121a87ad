/**
 * Tests that an error workflow of n8n can format this package's errors with the expressions of docs/troubleshooting.md.
 */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { poll } from './poll.mts';
import { fieldsOf, postJson } from './rest.mts';
import { shownInDocs } from './shown-in-docs.mts';
import { chain, companiesNode, n8nNode, webhook } from './workflows.mts';

const shown = await shownInDocs(
	'docs/troubleshooting.md',
	'An error workflow, or a chat, shows `<br>`',
);
const [message, description] = shown.split('\n');
const row = (name: string, value: string) => ({
	id: name,
	name,
	type: 'string',
	value: `=${value}`,
});
const assignments = [row('message', message), row('description', description)];
const handler = chain('Reports errors', [
	n8nNode('Error Trigger', 'errorTrigger', 1),
	n8nNode('Text', 'set', 3.4, { assignments: { assignments }, options: {} }),
]);
const path = 'fails-and-is-reported';
const failing = chain('Fails', [webhook(path, 'onReceived'), companiesNode()]);
failing.settings.errorWorkflow = handler.id;

const lab = useLab({
	name: 'error-workflow',
	sandbox: { companies: 5 },
	workflows: () => [handler, failing],
});

test("lets an error workflow show an error without HTML tags, but with the service's message unchanged", async () => {
	const body = { error: { message: 'Not <b>yours</b> & closed' } };
	lab.sandbox.addFault({ path: '/v2/public/companies', status: 403, body, times: Infinity });
	for (const { id } of [handler, failing]) await lab.client.activate(id);
	await postJson(`${lab.n8n.server.url}/webhook/${path}`, {});
	const reported = async (): Promise<string | undefined> =>
		(await lab.client.listExecutions(handler.id))[0];
	const execution = await lab.client.waitForExecution(await poll('the error', reported, 30_000));

	const [text] = fieldsOf(execution, 'Text');
	expect(text.message).toMatch(/^This API key is not allowed/);
	expect(text.message).toContain('Not <b>yours</b> & closed');
	expect(String(text.description).split('\n').length).toBeGreaterThan(1);
	expect(text.description).not.toMatch(/<br>|&lt;|&amp;/);
});
