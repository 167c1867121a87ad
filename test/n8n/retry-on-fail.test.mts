/** n8n's Retry On Fail, with 3 tries of 50 calls that may be billed: none of them is paid for twice. */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { chain, enrichNode, items, manualTrigger } from './workflows.mts';
import type { WorkflowNode } from './workflows.mts';

const path = '/v2/enrich';
const companies = companiesNamed('company', 50);
const domains = domainsOf(companies);

const enrichAll = (
	name: string,
	options: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
) =>
	chain(name, [
		manualTrigger(),
		items(companies),
		enrichNode(options, { retryOnFail: true, maxTries: 3, waitBetweenTries: 10, ...settings }),
	]);

const workflows = {
	stop: enrichAll('Stop', { maxConcurrent: 50 }),
	continue: enrichAll('Continue', { maxConcurrent: 1 }, { onError: 'continueRegularOutput' }),
	refused: enrichAll('Refused', { maxWait: 0 }),
	limit: enrichAll('Limit', { maxCalls: 10 }),
};

const lab = useLab({
	name: 'retry-on-fail',
	sandbox: { companies: 10 },
	workflows: () => Object.values(workflows),
});

async function run(name: keyof typeof workflows) {
	const execution = await lab.run(workflows[name]);
	const output = itemsOf(execution, 'Workspace Data').map(({ json }) => json);
	const sent = domainsOf(lab.sandbox.requests.map(({ body }) => body)).toSorted();
	return { execution, output, sent };
}

test('Stop, the 30th is cut: each reaches the service once over all tries, and the run ends with its error', async () => {
	// All of them are under way when it fails.
	lab.sandbox.addFault({ path, skip: 29, delayMs: 300, action: 'reset' });
	const { execution, sent } = await run('stop');
	expect(execution.status).toBe('error');
	expect(execution.error?.description).toContain('may have processed and billed it');
	expect(sent).toEqual(domains);
});

test('Continue, the first is cut, for which n8n runs the node again: each call once', async () => {
	lab.sandbox.addFault({ path, action: 'reset' });
	const { output, sent } = await run('continue');
	expect(sent).toEqual(domains);
	expect(domainsOf(output.slice(1))).toEqual(domains.slice(1));
});

test('Stop, some are refused with HTTP 429: the tries continue where the refusals began', async () => {
	lab.sandbox.addFault({ path, skip: 29, times: 2, status: 429 });
	const { execution, output } = await run('refused');
	expect(execution.error).toBeUndefined();
	expect(domainsOf(output)).toEqual(domains);
	expect(domainsOf(lab.sandbox.calls.enrich).toSorted()).toEqual(domains);
});

test('Max Calls 10 of 50: no request in any try, and the error says why', async () => {
	const { execution, sent } = await run('limit');
	expect(sent).toEqual([]);
	expect(execution.error?.message).toBe('Max Calls (10) would skip 40 items');
});
