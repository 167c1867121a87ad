import { describe, expect, test } from 'vitest';
import { USUAL_PAGE_SIZE } from '../../../../nodes/shared/lists/page-size.ts';
import { idsOf, useSandbox } from '../../harness/support.mts';

const COMPANIES = 253;
const bench = useSandbox({ companies: COMPANIES });

const companies = { resource: 'company', operation: 'getAll' };
const query = { resource: 'record', operation: 'query', objectType: 'company' };
const newest = { sort: 'updated_at:desc' };

/** Returns the ids of all companies, sorted by a date field with the newest first. */
async function newestIds(sort = 'updated_at'): Promise<string[]> {
	const run = await bench.run({ ...companies, returnAll: true, options: { sort } });
	bench.sandbox.clearRequests();
	return idsOf(run).reverse();
}

describe('Newest First', () => {
	// Unit tests in test/unit/shared/lists/newest.test.mts check other limits and page sizes.
	test('returns the newest records by the chosen date, with the largest page size that the service accepts', async () => {
		const expected = (await newestIds('created_at')).slice(0, 20);
		bench.sandbox.setQuirks({ rejectPageSizeAbove: { size: 50, status: 400 } });
		for (const list of [companies, query]) {
			const options = { sort: 'created_at:desc' };
			expect(idsOf(await bench.run({ ...list, limit: 20, options }))).toEqual(expected);
		}
		const chosen = await bench.run({
			...companies,
			options: { ...newest, pagination: { values: { pageSize: 60 } } },
		});
		expect(chosen.error?.message).toContain('at most 50, not 60');
	});

	test('returns the newest record after two requests, by page number and without a cursor', async () => {
		await bench.run({ ...query, limit: 1, options: newest });
		const sort = 'standard:updated_at:asc';
		const bodies = bench.sandbox.requests.map(({ body }) => body as Record<string, unknown>);
		expect(bodies).toEqual([
			{ object_type: 'company', sort, limit: USUAL_PAGE_SIZE },
			{ object_type: 'company', sort, limit: expect.any(Number), page: expect.any(Number) },
		]);
	});
});

test('sorts numbered pages by Sort Order, or by Sort Key if the user has set it', async () => {
	const askedBy = async (parameters: object, more: object) => {
		bench.sandbox.clearRequests();
		const options = { pagination: { values: { page: 1, ...more } }, sort: 'created_at' };
		await bench.run({ ...parameters, limit: 1, options });
		const [{ query: sent, body }] = bench.sandbox.requests;
		return { ...sent, ...(body as object) };
	};
	expect(await askedBy(companies, {})).toMatchObject({ page: '1', sort: 'created_at' });
	expect(await askedBy(query, {})).toMatchObject({ page: 1, sort: 'standard:created_at:asc' });
	expect(await askedBy(query, { sortKey: 'name' })).toMatchObject({ page: 1, sort: 'name' });
});

describe('Newest First on a service without numbered pages', () => {
	test.each([
		[400, 'does not show which records are the newest', "'Sort Order' to Oldest First"],
		[403, 'is not allowed', 'In the credential, enter an API key'],
	])(
		"reports HTTP %i of a numbered page with the service's message and advice",
		async (status, message, advice) => {
			bench.sandbox.addFault({ skip: 1, times: Infinity, status });
			const run = await bench.run({ ...companies, options: newest });
			expect(run.error?.message).toContain(message);
			expect(run.error?.message).toMatch(/: "[^"]+"$/);
			expect(run.error?.description).toContain(advice);
		},
	);
});
