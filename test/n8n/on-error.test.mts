/** On Error in a real n8n; every mode and place of a failure is among the engine tests. */
import { expect, test } from 'vitest';
import { useLab } from './lab.mts';
import { fieldsOf } from './rest.mts';
import { domainsOf } from './service.mts';
import { chain, companiesNode, enrichNode, items, manualTrigger } from './workflows.mts';

const pageSize = 20;
/** The second names nothing to enrich, which the service answers with 422. */
const companies = [{ domain: 'a.example' }, { note: 'no subject' }, { domain: 'c.example' }];
const calls = chain('Calls', [
	manualTrigger(),
	items(companies),
	enrichNode({}, { onError: 'continueErrorOutput' }),
]);
const list = chain('List', [
	manualTrigger(),
	companiesNode({ pageSize, maxRetries: 0 }, 'items', { onError: 'continueRegularOutput' }),
]);

const lab = useLab({
	name: 'on-error',
	sandbox: { companies: 100 },
	workflows: () => [calls, list],
});

test('Continue (using error output), one call of three fails: its error goes to the second output', async () => {
	const execution = await lab.succeed(calls);
	expect(domainsOf(fieldsOf(execution))).toEqual(['a.example', 'c.example']);
	expect(fieldsOf(execution, 'Workspace Data', 1)).toEqual([
		expect.objectContaining({
			error: 'The service did not accept the request (HTTP 422)',
			message: expect.stringContaining('Send at least one of id, domain and name.'),
			details: { httpCode: '422', ctxId: expect.any(String) },
		}),
	]);
});

test('Continue, a list fails at its third page: what was read is kept, with the error after it', async () => {
	lab.sandbox.addFault({ skip: 2, times: Infinity, status: 503 });
	const output = fieldsOf(await lab.succeed(list));
	expect(new Set(output.map(({ id }) => id)).size).toBe(2 * pageSize + 1);
	expect(output.at(-1)).toEqual({
		error: 'The service could not process the request (HTTP 503)',
		message: expect.stringContaining('40 records had been read before this'),
		details: {
			httpCode: '503',
			ctxId: expect.any(String),
			nextCursor: expect.any(String),
			limit: pageSize,
			recordsRead: 2 * pageSize,
		},
	});
});
