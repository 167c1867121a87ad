import { beforeEach, describe, expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { itemsOf } from './rest.mts';
import type { Execution } from './rest.mts';
import { chain, dataNode, items, manualTrigger } from './workflows.mts';
import type { RunnableWorkflow, WorkflowNode } from './workflows.mts';

type OnError = NonNullable<WorkflowNode['onError']>;
const modes: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const pageSize = 20;

function eachMode(make: (onError: OnError) => RunnableWorkflow): Record<OnError, RunnableWorkflow> {
	const entries = modes.map((onError) => [onError, make(onError)]);
	return Object.fromEntries(entries) as Record<OnError, RunnableWorkflow>;
}

/** Three companies of which the second names nothing to enrich, which the service answers with 422. */
const calls = eachMode((onError) =>
	chain(`Calls ${modes.indexOf(onError)}`, [
		manualTrigger(),
		items([{ domain: 'a.example' }, { note: 'no subject' }, { domain: 'c.example' }]),
		dataNode(
			{ resource: 'company', operation: 'enrich', dataToSend: 'autoMapInputData' },
			{ onError },
		),
	]),
);
const lists = eachMode((onError) =>
	chain(`Lists ${modes.indexOf(onError)}`, [
		manualTrigger(),
		dataNode(
			{
				resource: 'company',
				operation: 'getAll',
				returnAll: true,
				options: { pageSize, maxRetries: 0 },
			},
			{ onError },
		),
	]),
);

const lab = useLab({
	name: 'on-error',
	sandbox: { companies: 100 },
	workflows: () => [...Object.values(calls), ...Object.values(lists)],
});

/** The fields of the items at one output of the node. */
function outputOf(execution: Execution, output: number): Record<string, unknown>[] {
	return itemsOf(execution, 'Workspace Data', output).map(({ json }) => json);
}

const failedCall = {
	error: 'The service could not work with the data that was sent',
	message: expect.stringContaining('Send at least one of id, domain and name.'),
	details: { httpCode: '422', ctxId: expect.any(String) },
};

describe('one call of three fails', () => {
	test('Stop: the execution fails and says which item it was', async () => {
		const { status, error } = await lab.run(calls.stopWorkflow);
		expect(status).toBe('error');
		expect(error).toMatchObject({
			message: 'The service could not work with the data that was sent',
			description: failedCall.message,
			context: { itemIndex: 1 },
		});
	});

	test('Continue: the error stands in the place of its item', async () => {
		const execution = await lab.run(calls.continueRegularOutput);
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 0)).toEqual([
			expect.objectContaining({ domain: 'a.example' }),
			failedCall,
			expect.objectContaining({ domain: 'c.example' }),
		]);
		expect(lab.sandbox.calls.enrich).toHaveLength(2);
	});

	test('Continue (using error output): the error goes to the second output', async () => {
		const execution = await lab.run(calls.continueErrorOutput);
		expect(execution.status).toBe('success');
		expect(outputOf(execution, 0).map(({ domain }) => domain)).toEqual(['a.example', 'c.example']);
		expect(outputOf(execution, 1)).toEqual([expect.objectContaining(failedCall)]);
	});
});

describe('a list fails at its third page', () => {
	beforeEach(() => lab.sandbox.addFault({ skip: 2, times: Infinity, status: 503 }));
	const failedList = {
		error: 'The service failed to answer (HTTP 503)',
		message: expect.stringContaining('40 records had been read before this'),
		details: {
			httpCode: '503',
			ctxId: expect.any(String),
			nextCursor: expect.any(String),
			recordsRead: 2 * pageSize,
		},
	};

	test('Stop: the error tells the cursor to go on from', async () => {
		const { status, error } = await lab.run(lists.stopWorkflow);
		expect(status).toBe('error');
		expect(error?.message).toBe(failedList.error);
		expect(error?.description).toContain('set the option Start Cursor to:<br>');
	});

	test('Continue: what was read is kept, with the error after it', async () => {
		const execution = await lab.run(lists.continueRegularOutput);
		const output = outputOf(execution, 0);
		expect(output).toHaveLength(2 * pageSize + 1);
		expect(output.at(-1)).toEqual(failedList);
	});

	test('Continue (using error output): records at the first output, the error at the second', async () => {
		const execution = await lab.run(lists.continueErrorOutput);
		const ids = outputOf(execution, 0).map(({ id }) => id);
		expect(new Set(ids).size).toBe(2 * pageSize);
		expect(outputOf(execution, 1)).toEqual([expect.objectContaining(failedList)]);
	});
});
