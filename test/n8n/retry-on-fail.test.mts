/** n8n's Retry On Fail, with 3 tries of 50 calls that may be billed: none of them is paid for twice. */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { fieldsOf } from './rest.mts';
import { companiesNamed, domainsOf } from './service.mts';
import { chain, enrichNode, items, manualTrigger } from './workflows.mts';
import type { WorkflowNode } from './workflows.mts';

const path = '/v2/enrich';
const companies = companiesNamed('company', 50);
const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const enrichAll = (maxConcurrent: number, onError: WorkflowNode['onError']) =>
	chain(`Enrich, ${onError}`, [
		manualTrigger(),
		items(companies),
		enrichNode({ maxConcurrent }, { ...retries, onError }),
	]);
const stops = enrichAll(50, 'stopWorkflow');
const continues = enrichAll(1, 'continueRegularOutput');

const lab = useLab({
	name: 'retry-on-fail',
	sandbox: { companies: 10 },
	workflows: () => [stops, continues],
});

const sent = () => domainsOf(lab.sandbox.requests.map(({ body }) => body)).toSorted();

test('Stop, the 30th is cut: each reaches the service once over all tries, and the run ends with its error', async () => {
	// All of them are under way when it fails.
	lab.sandbox.addFault({ path, skip: 29, delayMs: 300, action: 'reset' });
	const { status, error } = await lab.run(stops);
	expect(status).toBe('error');
	expect(error?.description).toContain('may have processed and billed it');
	expect(sent()).toEqual(domainsOf(companies));
});

test('Continue, the first is cut, for which n8n runs the node again: each call once', async () => {
	lab.sandbox.addFault({ path, action: 'reset' });
	const output = fieldsOf(await lab.run(continues));
	expect(sent()).toEqual(domainsOf(companies));
	expect(domainsOf(output.slice(1))).toEqual(domainsOf(companies.slice(1)));
});
