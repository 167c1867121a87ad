/** n8n's Retry On Fail, with 3 tries of 50 calls that may be billed: none of them is paid for twice. */
import { describe, expect, test } from 'vitest';
import type { Fault } from '../sandbox/types.mts';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { chain, dataNode, items, manualTrigger } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

const path = '/v2/enrich';
const companies = Array.from({ length: 50 }, (_, index) => ({
	domain: `company-${index}.example`,
}));
const once = companies.map(() => 1);
const domains = companies.map(({ domain }) => domain);

function enrichAll(
	name: string,
	options: Record<string, unknown>,
	more: { node?: Partial<WorkflowNode>; input?: WorkflowNode; json?: string } = {},
): RunnableWorkflow {
	const body = more.json
		? { dataToSend: 'json', jsonBody: more.json }
		: { dataToSend: 'autoMapInputData' };
	return chain(name, [
		manualTrigger(),
		more.input ?? items(companies),
		dataNode(
			{ resource: 'company', operation: 'enrich', ...body, options },
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 10, ...more.node },
		),
	]);
}

/** Items that say until when an expression is to fail, so that it fails in the first try only. */
const itemsForAMoment: WorkflowNode = {
	name: 'Items',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `const until = Date.now() + 3000;\nreturn ${JSON.stringify(companies)}.map((json) => ({ json: { ...json, until } }));`,
	},
};

const continues = { onError: 'continueRegularOutput' } as const;
const workflows = {
	stop: enrichAll('Stop', { maxConcurrent: 50 }),
	stopInTurn: enrichAll('Stop in turn', { maxConcurrent: 1 }),
	continue: enrichAll('Continue', { maxConcurrent: 1 }, { node: continues }),
	refused: enrichAll('Refused', { maxWait: 0 }),
	refusedContinue: enrichAll('Refused go on', { maxWait: 0 }, { node: continues }),
	crash: enrichAll(
		'Crash',
		{ maxConcurrent: 1 },
		{
			input: itemsForAMoment,
			json: '={{ $itemIndex === 29 && Date.now() < $json.until ? $("No such node").item : { domain: $json.domain, at: Date.now() } }}',
			node: { waitBetweenTries: 4_000 },
		},
	),
	identical: enrichAll(
		'Identical',
		{ sendIdenticalOnce: true, maxConcurrent: 1 },
		{ input: items([...companies, ...companies]), node: continues },
	),
	limit: enrichAll('Limit', { maxCalls: 10 }),
	limitContinue: enrichAll('Limit go on', { maxCalls: 10 }, { node: continues }),
	preview: enrichAll(
		'Preview',
		{ previewOnly: true, sendIdenticalOnce: true, maxCalls: 30 },
		{ input: items([...companies, ...companies]) },
	),
};

const lab = useLab({
	name: 'retry-on-fail',
	sandbox: { companies: 10 },
	workflows: () => Object.values(workflows),
});

/** How often each company reached the service. */
function arrivals(): number[] {
	const sent = lab.sandbox.requests.map(({ body }) => (body as { domain: string }).domain);
	return domains.map((domain) => sent.filter((other) => other === domain).length);
}

/** The companies that were processed, and so may have been billed. */
function processed(): string[] {
	return lab.sandbox.calls.enrich.map((body) => (body as { domain: string }).domain).toSorted();
}

function output(execution: Execution): Record<string, unknown>[] {
	return itemsOf(execution, 'Workspace Data').map(({ json }) => json);
}

const faults: [string, Fault][] = [
	['its connection is cut', { action: 'reset' }],
	['its connection is cut after it was processed', { action: 'resetAfterHandling' }],
	['it is answered with HTTP 500', { status: 500 }],
];

describe.each(faults)('the 30th of 50 calls fails: %s', (_name, fault) => {
	test('Stop: each reaches the service once over all tries, and the run ends with its error', async () => {
		// All of them are under way when it fails.
		lab.sandbox.addFault({ path, skip: 29, delayMs: 300, ...fault });
		const { status, error } = await lab.run(workflows.stop);
		expect(status).toBe('error');
		expect(error?.description).toContain('may have processed and billed it');
		expect(arrivals()).toEqual(once);
	});

	test('Stop, one after the other: the tries send nothing more, as no result would come out', async () => {
		lab.sandbox.addFault({ path, skip: 29, ...fault });
		const { error } = await lab.run(workflows.stopInTurn);
		expect(error).toMatchObject({ context: { itemIndex: 29 } });
		expect(arrivals()).toEqual(domains.map((_, index) => (index < 30 ? 1 : 0)));
	});

	test('Continue: 49 results, each call once', async () => {
		lab.sandbox.addFault({ path, skip: 29, ...fault });
		const json = output(await lab.run(workflows.continue));
		expect(arrivals()).toEqual(once);
		expect(json.map(({ domain }) => domain)).toEqual(
			domains.map((domain, index) => (index === 29 ? undefined : domain)),
		);
	});

	test('Continue, and it is the first, for which n8n runs the node again: each call once', async () => {
		lab.sandbox.addFault({ path, ...fault });
		const json = output(await lab.run(workflows.continue));
		expect(arrivals()).toEqual(once);
		expect(json.slice(1).map(({ domain }) => domain)).toEqual(domains.slice(1));
	});
});

describe('calls are refused with HTTP 429', () => {
	test('Stop: the tries go on where the refusals began, and each call is processed once', async () => {
		lab.sandbox.addFault({ path, skip: 29, times: 7, status: 429 });
		const execution = await lab.run(workflows.refused);
		expect(execution.error).toBeUndefined();
		expect(output(execution).map(({ domain }) => domain)).toEqual(domains);
		expect(processed()).toEqual(domains.toSorted());
	});

	test('Continue, from the first on: each call is processed once', async () => {
		lab.sandbox.addFault({ path, times: 2, status: 429 });
		const json = output(await lab.run(workflows.refusedContinue));
		expect(json.map(({ domain }) => domain)).toEqual(domains);
		expect(processed()).toEqual(domains.toSorted());
	});
});

test('an expression fails at first: the first try sends nothing, and the next one everything once', async () => {
	const execution = await lab.run(workflows.crash);
	expect(execution.error).toBeUndefined();
	expect(output(execution).map(({ domain }) => domain)).toEqual(domains);
	expect(arrivals()).toEqual(once);
});

test('Send Identical Once: twins share what was paid for, over all tries', async () => {
	lab.sandbox.addFault({ path, action: 'reset' });
	const json = output(await lab.run(workflows.identical));
	expect(arrivals()).toEqual(once);
	expect(json.map(({ domain }) => domain)).toEqual([
		undefined,
		...domains.slice(1),
		undefined,
		...domains.slice(1),
	]);
});

describe('a limit before spending', () => {
	test('Max Calls 10 of 50: no request in any try, and the error says why', async () => {
		const { error } = await lab.run(workflows.limit);
		expect(lab.sandbox.requests).toEqual([]);
		expect(error?.message).toBe('Max Calls (10) would skip 40 items');
	});

	test('Max Calls 10 of 50 with Continue: 10 results and 40 error items', async () => {
		const json = output(await lab.run(workflows.limitContinue));
		expect(lab.sandbox.requests).toHaveLength(10);
		expect(json.filter((item) => 'error' in item)).toHaveLength(40);
	});

	test('Preview Only: no request, and what a run would send', async () => {
		expect(output(await lab.run(workflows.preview))).toMatchObject([
			{
				items: 100,
				uniqueRequests: 50,
				wouldBeSent: 30,
				sharedDuplicates: 30,
				skippedByMaxCalls: 40,
				refused: 0,
			},
		]);
		expect(lab.sandbox.requests).toEqual([]);
	});
});
