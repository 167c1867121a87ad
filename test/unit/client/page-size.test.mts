import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { limitsOfPage, PageSize } from '../../../nodes/client/page-size.ts';

/** How a page came. */
interface CamePage {
	asked: number;
	received: number;
	hasNext: boolean;
	tookMs: number;
	characters: number;
}

/** A page that came full, quickly and small, unless it says otherwise. */
function came(pageSize: PageSize, more: Partial<CamePage> = {}): number {
	const { asked = pageSize.size, received = pageSize.size, tookMs = 100 } = more;
	pageSize.came({
		envelope: {
			data: { items: Array.from({ length: received }, () => ({})) },
			meta: { pagination: {} },
		},
		text: ' '.repeat(more.characters ?? pageSize.size * 500),
		limit: asked,
		nextCursor: more.hasNext === false ? undefined : 'c1',
		tookMs,
	});
	return pageSize.size;
}

/** The sizes of the next pages. */
const next = (pageSize: PageSize, howMany: number, more: Partial<CamePage> = {}): number[] =>
	Array.from({ length: howMany }, () => came(pageSize, more));

const refused = new ServiceFailure('status', { statusCode: 413 });
const timedOut = new ServiceFailure('timeout', { gaveUp: 'retriesUsed' });

describe('the page size', () => {
	it('stays while pages come slowly', () => {
		const pageSize = new PageSize();
		expect(next(pageSize, 3, { tookMs: 2_000 })).toEqual([100, 100, 100]);
		expect(came(pageSize)).toBe(500);
	});

	it('stays where the next larger page would hold too many characters', () => {
		const pageSize = new PageSize();
		expect(came(pageSize, { characters: 800_001 })).toBe(100);
		expect(came(pageSize, { characters: 800_000 })).toBe(500);
		expect(came(pageSize, { characters: 1_000_001 })).toBe(500);
		expect(came(pageSize, { characters: 1_000_000 })).toBe(2_000);
	});

	it.each([{ tookMs: 8_001 }, { characters: 8_000_001 }])('shrinks for good after %j', (more) => {
		const pageSize = new PageSize();
		next(pageSize, 2);
		expect(came(pageSize, more)).toBe(500);
		expect(came(pageSize)).toBe(500);
		expect(next(pageSize, 4, more)).toEqual([100, 100, 100, 100]);
	});

	it('learns nothing from the last page, nor from one that was truncated to what is wanted', () => {
		const pageSize = new PageSize();
		expect(came(pageSize, { received: 3, hasNext: false })).toBe(100);
		expect(came(pageSize, { asked: 20, received: 20 })).toBe(100);
		expect(came(pageSize)).toBe(500);
	});

	it('learns nothing from a larger page that is the last one, or empty', () => {
		const pageSize = new PageSize();
		next(pageSize, 1);
		expect(came(pageSize, { received: 3, hasNext: false, tookMs: 9_000 })).toBe(500);
		expect(came(pageSize, { received: 0 })).toBe(500);
		expect(came(pageSize, { received: 250, tookMs: 8_000, characters: 8_000_000 })).toBe(500);
	});

	it('begins with what another run has come to, where that is less', () => {
		for (const [known, size] of [
			[5, 20],
			[50, 50],
			[99, 50],
			[1_000, 100],
		]) {
			const pageSize = new PageSize();
			pageSize.beginWith(known);
			expect([pageSize.size, pageSize.first, pageSize.trusted]).toEqual([size, size, size]);
		}
	});

	it('of a list that is continued grows to sizes that are larger than its own', () => {
		expect(next(new PageSize(500, [500, 2_000], true), 2)).toEqual([2_000, 2_000]);
		const pageSize = new PageSize();
		next(pageSize, 2);
		expect([pageSize.keepBelow(2_000, 100), pageSize.size]).toEqual([true, 100]);
		const larger = new PageSize(1_000, [500, 2_000], true);
		expect([came(larger), larger.keepBelow(2_000), larger.size]).toEqual([2_000, true, 1_000]);
	});

	it('goes back one size where one that went well fails after all retries', () => {
		const pageSize = new PageSize();
		next(pageSize, 4);
		expect([2_000, 2_001].map((size) => pageSize.isTrial(size))).toEqual([false, true]);
		expect(pageSize.failed(100, timedOut, 100)).toBe(false);
		expect(pageSize.failed(2_000, timedOut, 2_000)).toBe(true);
		expect(next(pageSize, 2)).toEqual([500, 500]);
	});

	it('begins with 50 or 20 where more is refused, and says no to what is no matter of the size', () => {
		const pageSize = new PageSize();
		expect([pageSize.failed(100, refused, undefined), pageSize.size]).toEqual([true, 50]);
		expect([pageSize.failed(50, refused, undefined), pageSize.size]).toEqual([true, 20]);
		expect(pageSize.failed(20, refused, undefined)).toBe(false);
		const notFound = new ServiceFailure('status', { statusCode: 404 });
		expect(new PageSize().failed(100, notFound, undefined)).toBe(false);
		expect(new PageSize().failed(100, timedOut, undefined)).toBe(false);
		const unsuccessful = new ServiceFailure('unsuccessful');
		expect(new PageSize().failed(100, unsuccessful, undefined)).toBe(true);
	});

	it('of the user has nothing smaller but for the proof of the end', () => {
		const pageSize = new PageSize(300, [], true);
		expect([pageSize.size, pageSize.failed(300, refused, undefined)]).toEqual([300, false]);
		expect([pageSize.smallest, pageSize.trusted, pageSize.isProven]).toEqual([20, 100, false]);
		expect(new PageSize(10, [], true)).toMatchObject({ smallest: 10, trusted: 10 });
		expect(came(pageSize)).toBe(300);
		expect([pageSize.keepBelow(300, 20), pageSize.size]).toEqual([true, 20]);
		expect(next(pageSize, 3)).toEqual([50, 100, 100]);
	});

	it.each([
		new ServiceFailure('cancelled'),
		new ServiceFailure('status', { statusCode: 429, gaveUp: 'waitUsed' }),
		new ServiceFailure('status', { statusCode: 503, retryAfterMs: 5, gaveUp: 'waitTooLong' }),
		new ServiceFailure('notSent', { gaveUp: 'waitUsed' }),
		new RangeError('a mistake'),
	])('learns nothing from %s, which is no matter of the size', (failure) => {
		const pageSize = new PageSize();
		came(pageSize);
		expect(pageSize.failed(500, failure, 100)).toBe(false);
		expect(pageSize.size).toBe(500);
	});
});

it('the first page of a larger size is asked for once, and not waited for for long', () => {
	const limits = { maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 60_000 };
	expect(limitsOfPage(limits, false)).toBe(limits);
	expect(limitsOfPage(limits, true)).toEqual({
		...limits,
		maxRetries: 0,
		maxUnprocessed: 3,
		timeoutMs: 15_000,
	});
	expect(limitsOfPage({ ...limits, timeoutMs: 500 }, true).timeoutMs).toBe(500);
});
