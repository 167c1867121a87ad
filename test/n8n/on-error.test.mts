import { beforeEach, describe, expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { domainsOf } from './service.mts';
import { chain, companiesNode, enrichNode, items, manualTrigger } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

const pageSize = 20;
/** What stops is seen in the editor: test/browser/errors.test.mts. */
const modes = ['continueRegularOutput', 'continueErrorOutput'] as const;
type OnError = (typeof modes)[number];

function eachMode(name: string, nodes: (settings: Partial<WorkflowNode>) => WorkflowNode[]) {
	const entries = modes.map((onError) => [
		onError,
		chain(`${name} ${onError}`, [manualTrigger(), ...nodes({ onError })]),
	]);
	return Object.fromEntries(entries) as Record<OnError, RunnableWorkflow>;
}

/** Three companies of which the second names nothing to enrich, which the service answers with 422. */
const companies = [{ domain: 'a.example' }, { note: 'no subject' }, { domain: 'c.example' }];
const calls = eachMode('Calls', (settings) => [items(companies), enrichNode({}, settings)]);
const lists = eachMode('Lists', (settings) => [
	companiesNode({ pageSize, maxRetries: 0 }, 'items', settings),
]);

const lab = useLab({
	name: 'on-error',
	sandbox: { companies: 100 },
	workflows: () => [...Object.values(calls), ...Object.values(lists)],
});

/** The fields of the items at one output of the node. */
const outputOf = (execution: Execution, output: number): Record<string, unknown>[] =>
	itemsOf(execution, 'Workspace Data', output).map(({ json }) => json);

describe('one call of three fails', () => {
	const failed = {
		error: 'The service could not work with the data that was sent',
		message: expect.stringContaining('Send at least one of id, domain and name.'),
		details: { httpCode: '422', ctxId: expect.any(String) },
	};

	test('Continue: the error stands in the place of its item', async () => {
		const output = outputOf(await lab.succeed(calls.continueRegularOutput), 0);
		expect(domainsOf(output)).toEqual(['a.example', undefined, 'c.example']);
		expect(output[1]).toEqual(failed);
	});

	test('Continue (using error output): the error goes to the second output', async () => {
		const execution = await lab.succeed(calls.continueErrorOutput);
		expect(domainsOf(outputOf(execution, 0))).toEqual(['a.example', 'c.example']);
		expect(outputOf(execution, 1)).toEqual([expect.objectContaining(failed)]);
	});
});

describe('a list fails at its third page', () => {
	beforeEach(() => lab.sandbox.addFault({ skip: 2, times: Infinity, status: 503 }));
	const recordsRead = 2 * pageSize;
	const failed = {
		error: 'The service failed to answer (HTTP 503)',
		message: expect.stringContaining('40 records had been read before this'),
		details: {
			httpCode: '503',
			ctxId: expect.any(String),
			nextCursor: expect.any(String),
			recordsRead,
		},
	};

	test('Continue: what was read is kept, with the error after it', async () => {
		const output = outputOf(await lab.succeed(lists.continueRegularOutput), 0);
		expect(output).toHaveLength(recordsRead + 1);
		expect(output.at(-1)).toEqual(failed);
	});

	test('Continue (using error output): records at the first output, the error at the second', async () => {
		const execution = await lab.succeed(lists.continueErrorOutput);
		expect(new Set(outputOf(execution, 0).map(({ id }) => id)).size).toBe(recordsRead);
		expect(outputOf(execution, 1)).toEqual([expect.objectContaining(failed)]);
	});
});
