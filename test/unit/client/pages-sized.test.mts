import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { PAGE_SIZES, PageSize } from '../../../nodes/client/page-size.ts';
import { readPages, type FetchPage } from '../../../nodes/client/pages.ts';
import { FAILURES, hostile, read, serve, upTo } from './sized-service.mts';

describe('a list whose page size is found out', () => {
	it('gives every record once, without an error, whatever the service thinks of large pages', async () => {
		const boundary = fc.option(fc.integer({ min: 2, max: 4_000 }), { nil: undefined });
		const maximum = fc.option(fc.integer({ min: 1, max: 12_000 }), { nil: undefined });
		await fc.assert(
			fc.asyncProperty(hostile, boundary, maximum, async (service, bound, wanted = Infinity) => {
				const { ids, asked, failures } = await read(service, { boundary: bound, maximum: wanted });
				expect(ids).toEqual(upTo(Math.min(service.records, wanted)));
				const { cursors, dislikes } = service;
				// Each shorter page that such a cursor refuses fails as well, and "not now" is asked once more.
				const shorter = asked.filter((limit) => limit < 100).length;
				const notNow = dislikes.filter((one) => one.by === 'failure' && one.kind === '429').length;
				const most = 3 + notNow + (cursors === 'refusesOthers' ? shorter : 0);
				expect(failures).toBeLessThanOrEqual(most);
			}),
			{ numRuns: 1_000 },
		);
	}, 60_000);

	it('gives every record once or fails where it was refused, with files and pages of any size', async () => {
		const places = {
			records: fc.integer({ min: 0, max: 60 }),
			cursors: fc.constantFrom('byRecord', 'byPage', 'refusesOthers', 'keepsItsLimit'),
			tellsEarly: fc.boolean(),
			refused: fc.option(fc.nat(9), { nil: undefined }),
			pageSize: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
			boundary: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
			maximum: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
		} as const;
		await fc.assert(
			fc.asyncProperty(fc.record(places), async (drawn) => {
				const { pageSize, boundary, maximum, ...service } = drawn;
				const { records, refused } = service;
				const options = { pageSize, boundary, maximum };
				const run = await read(service, options).catch((error: unknown) => error);
				if (run instanceof ServiceFailure) expect(refused).toBeDefined();
				else expect(run).toMatchObject({ ids: upTo(Math.min(records, maximum ?? records)) });
			}),
			{ numRuns: 3_000 },
		);
	});

	it('asks for the same pages where it can ask for them early, and for no other', async () => {
		const sizes = {
			pageSize: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
			boundary: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined }),
			maximum: fc.option(fc.integer({ min: 1, max: 12_000 }), { nil: undefined }),
		};
		let early = 0;
		await fc.assert(
			fc.asyncProperty(hostile, fc.record(sizes), async (service, options) => {
				const late = await read({ ...service, tellsEarly: false }, options);
				const soon = await read({ ...service, tellsEarly: true }, options);
				expect(soon.asked).toEqual(late.asked);
				expect(soon.ids).toEqual(late.ids);
				early += soon.early;
			}),
			{ numRuns: 300 },
		);
		expect(early).toBeGreaterThan(1_000);
	});

	it('asks once more for the first larger page by the first size, and that is all it costs', async () => {
		const { ids, asked } = await read({ records: 5_000 });
		expect(ids).toEqual(upTo(5_000));
		expect(asked).toEqual([100, 100, 500, 1_000, 2_000, 2_000]);
	});

	it.each([
		['caps silently at 50', { by: 'silence', above: 50 }, 100, 0],
		['caps silently at 1,000', { by: 'silence', above: 1_000 }, 1_000, 0],
		['caps silently at 250', { by: 'silence', above: 250 }, 500, 0],
		['refuses above 100', { by: 'failure', kind: '422', above: 100 }, 100, 2],
		['refuses above 200', { by: 'failure', kind: '400', above: 200 }, 200, 1],
		['has a rate limit that counts records', { by: 'failure', kind: '429', above: 500 }, 500, 2],
		['times out above 500', { by: 'failure', kind: 'timeout', above: 500 }, 500, 1],
		[
			'answers above 1,000 with success: false',
			{ by: 'failure', kind: 'unsuccessful', above: 1_000 },
			1_000,
			1,
		],
	] as const)('of a service that %s', async (_name, one, last, wasted) => {
		const run = await read({ records: 9_950, dislikes: [{ ...one, from: 0 }] });
		expect(run.ids).toEqual(upTo(9_950));
		expect([run.asked.at(-1), run.failures]).toEqual([last, wasted]);
	});

	it.each([
		['byPage', [500]],
		['refusesOthers', [500, 200]],
		['keepsItsLimit', [500]],
	] as const)(
		'keeps to the first size with cursors that depend on it (%s)',
		async (cursors, larger) => {
			const { ids, sizes, asked } = await read({ cursors, records: 1_050 });
			expect(ids).toEqual(upTo(1_050));
			expect(new Set(sizes.slice(0, -1))).toEqual(new Set([100]));
			expect(asked.filter((limit) => limit > 100)).toEqual(larger);
		},
	);

	it.each([
		['refuses a cursor that was used before', '410', undefined],
		['fails', '504', 504],
	])(
		'of a service that %s when the first larger page is proven',
		async (_name, kind, statusCode) => {
			const service = serve({
				...{
					records: 900,
					dislikes: [],
					passing: [],
					cursors: 'byRecord',
					tookMs: 1,
					perRecord: 1,
				},
			});
			const fetchPage: FetchPage = async (request, hooks) => {
				const cursor = 'cursor' in request ? request.cursor : '';
				const isAgain = !hooks.isLarger && request.limit === 100 && cursor === '100/100';
				if (isAgain) throw FAILURES[kind] ?? new ServiceFailure('status', { statusCode: 410 });
				return await service.fetchPage(request, hooks);
			};
			const ids: unknown[] = [];
			const reading = (async () => {
				for await (const { envelope } of readPages(fetchPage, {
					mode: 'cursor',
					sort: 'updated_at',
				})) {
					for (const { id } of envelope.data.items) ids.push(id);
				}
			})();
			if (statusCode === undefined) {
				await reading;
				expect(ids).toEqual(upTo(900));
			} else {
				await expect(reading).rejects.toMatchObject({ facts: { statusCode, recordsRead: 100 } });
			}
		},
	);

	it('is not slowed down for good by a fault that passes', async () => {
		const { ids, asked, failures } = await read({ records: 20_000, passing: [8] });
		expect([ids.length, failures]).toEqual([20_000, 1]);
		expect(asked.slice(6, 11)).toEqual([2_000, 2_000, 2_000, 100, 2_000]);
	});

	it('is known to the next list of the run, which begins with the first size again', async () => {
		const found = new PageSize();
		const service = { dislikes: [{ by: 'failure', kind: '422', above: 500, from: 0 } as const] };
		await read(service, { found });
		const again = await read(service, { found });
		expect(again.failures).toBe(0);
		expect(again.asked.slice(0, 3)).toEqual([100, 500, 500]);
	});

	it('fails as the smallest page does', async () => {
		const service = serve({
			...{ records: 900, dislikes: [], passing: [], cursors: 'byRecord', tookMs: 1, perRecord: 1 },
		});
		const fetchPage: FetchPage = async (request, hooks) => {
			if (service.asked.length >= 1) throw FAILURES['403'];
			return await service.fetchPage(request, hooks);
		};
		const pages = readPages(fetchPage, { mode: 'cursor', sort: 'updated_at' });
		await pages.next();
		await expect(pages.next()).rejects.toMatchObject({
			facts: { statusCode: 403, page: 2, recordsRead: 100 },
		});
	});

	it('never asks for more than there is room for', async () => {
		const { asked } = await read({ records: 9_000 }, { boundary: 1_234, maximum: 5_000 });
		expect(Math.max(...asked)).toBeLessThanOrEqual(Math.min(1_234, Math.max(...PAGE_SIZES)));
		expect(asked.reduce((sum, limit) => sum + limit)).toBe(5_100);
	});
});
