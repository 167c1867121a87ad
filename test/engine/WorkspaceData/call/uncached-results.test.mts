/** Tests responses that Keep Results does not store, and failures of n8n's data tables. */
import { describe, expect, test } from 'vitest';
import { hintsOf, jsonOf } from '../../harness/support.mts';
import { companies, domains, path, table, useReuse } from './reuse.mts';

const world = useReuse();
const { bench, run, asked, rows } = world;
const onError = 'continueRegularOutput';
/** Error message of n8n's Data Table node if data tables are switched off. */
const disabled = 'Attempted to use Data table node but the module is disabled';

describe('a response that Keep Results does not store', () => {
	test.each([
		['HTTP 500', { status: 500 }],
		['HTTP 202', { status: 202, body: { status: 'queued' } }],
	] as const)('sends a call again in the next run after %s', async (_name, fault) => {
		bench.sandbox.addFault({ path, ...fault });
		await run(companies(0, 3), {}, { onError });
		expect(rows()).toHaveLength(2);
		const none = { error: null, errors: [], last_error: 'none since May' };
		bench.sandbox.addFault({ path, body: { success: true, ...none, data: { score: 0 } } });
		await run(companies(0, 3));
		expect(rows()).toHaveLength(3);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	test('does not keep or use a result that has no value in the Required Fields', async () => {
		const options = { cache: { values: { requiredFields: 'domain, name' } } };
		bench.sandbox.addFault({ path, body: { job_id: 5, status: 'processing' } });
		const first = await run(companies(0, 2), { ...options, maxConcurrent: 1 });
		expect(jsonOf(first)[0]).toEqual({ job_id: 5, status: 'processing' });
		expect(hintsOf(first)[0]).toBe(
			'Sent 2 calls (may be billed). 1 result not kept: no value in "domain", "name". A later execution may pay for them again.',
		);
		await run(companies(0, 2), options);
		expect(asked()).toEqual(domains(0, 1));
		// A node without Required Fields keeps such a result, but a node with Required Fields does not use the result.
		bench.sandbox.addFault({ path, body: { job_id: 6, status: 'processing' } });
		await run(companies(2, 3));
		await run(companies(2, 3), options);
		expect(asked()).toEqual(domains(2, 3));
		await run(companies(0, 3), options);
		expect(asked()).toEqual([]);
	});

	test('keeps all results that may have been billed if a later call fails with On Error: Stop', async () => {
		bench.sandbox.addFault({ path, skip: 7, status: 500 });
		const { error } = await run(companies(0, 20), { maxConcurrent: 1 });
		expect(error?.description).toContain(
			'Kept for the next execution: the results of 7 calls that may be billed.',
		);
		await run(companies(0, 20));
		expect(asked()).toEqual(domains(7, 20));
	});
});

describe('a result that cannot be stored', () => {
	const fails = (step: string, words: string) => {
		world.dataTables.before = (found) => {
			if (found === step) throw new Error(words);
		};
	};

	test('returns a result even if n8n cannot remove expired results from the data table', async () => {
		world.dataTables.insert(table, [{ answer: '1', expires: new Date(0).toISOString() }]);
		fails('row:deleteRows', 'locked');
		expect((await run(companies(0, 1))).error).toBeUndefined();
		expect(rows()).toHaveLength(2);
	});

	test('returns a result that is too long to be kept, and shows a hint', async () => {
		const answer = { success: true, data: { text: 'x'.repeat(100_000) } };
		bench.sandbox.addFault({ path, body: answer });
		const result = await run(companies(0, 2), { maxConcurrent: 1 });
		expect(jsonOf(result)[0]).toEqual(answer.data);
		expect(hintsOf(result)[0]).toBe(
			'Sent 2 calls (may be billed). 1 result not kept: longer than 100,000 characters. A later execution may pay for them again.',
		);
		expect(rows()).toHaveLength(1);
	});

	test('includes results that could not be stored in the number of lost results in an error', async () => {
		fails('row:insert', 'full');
		bench.sandbox.addFault({ path, skip: 3, status: 500 });
		const { error } = await run(companies(0, 5), { maxConcurrent: 1 });
		expect(error?.description).toContain(
			'Lost: the results of 3 calls that may be billed, because this node stops on errors.',
		);
		expect(error?.description).not.toContain('Kept');
	});

	test('counts a response without a result as a lost result in the error description', async () => {
		bench.sandbox.addFault({ path, status: 202, body: { status: 'queued' } });
		bench.sandbox.addFault({ path, skip: 1, status: 500 });
		const { error } = await run(companies(0, 5), { maxConcurrent: 1 });
		expect(rows()).toHaveLength(1);
		expect(error?.description).toContain('Kept for the next execution: the results of 1 call ');
		expect(error?.description).toContain('Lost: the results of 1 call ');
	});

	test('does not report kept results as lost in a later attempt of Retry On Fail', async () => {
		bench.sandbox.addFault({ path, skip: 3, action: 'reset' });
		const retryOnFail = { maxTries: 2, waitBetweenTries: 1 };
		const { error } = await run(companies(0, 4), { maxConcurrent: 1 }, { retryOnFail });
		expect(rows()).toHaveLength(3);
		expect(error?.description).toContain('Kept for the next execution: the results of 3 calls ');
		expect(error?.description).not.toContain('Lost');
	});
});

describe('look-up of kept results', () => {
	const down = () => (world.dataTables.before = () => Promise.reject(new Error('down')));
	const off = () => (world.dataTables.before = () => Promise.reject(new Error(disabled)));
	const missing = () => (world.dataTables = undefined as never);

	test.each([
		['the database of n8n is down', down],
		['n8n has no data tables', missing],
		['data tables are switched off', off],
	])('sends nothing with Keep Results if %s', async (_name, breakIt) => {
		await run(companies(0, 1));
		breakIt();
		const said = "'Keep Results' cannot look up results that were paid for";
		const { error } = await run(companies(0, 2));
		expect(error?.message).toBe(said);
		expect(error?.description?.startsWith('Remove data-table from N8N_DISABLED_MODULES')).toBe(
			breakIt === off,
		);
		const continued = await run(companies(0, 2), {}, { onError });
		expect(jsonOf(continued).map(({ error }) => error)).toEqual([said, said]);
		const preview = await run(companies(0, 2), {}, {}, { previewOnly: true });
		expect(jsonOf(preview)).toMatchObject([{ wouldBeSent: 0, refused: 2 }]);
		expect(jsonOf(preview)[0]).not.toHaveProperty('nothingIsSentBecause');
		expect(bench.sandbox.requests).toEqual([]);
	});
});
