import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { limitsOfPage, PageSize, type CamePage } from '../../../nodes/client/page-size.ts';
import type { AnswerSize } from '../../../nodes/client/request.ts';

/** A page that came full, quickly and small, unless it says otherwise. */
function came(pageSize: PageSize, more: Partial<CamePage> = {}): number {
	const { size } = pageSize;
	const characters = size * 500;
	const page = { asked: size, received: size, hasNext: true, tookMs: 100, characters };
	pageSize.came({ ...page, ...more });
	return pageSize.size;
}

/** The sizes of the next pages. */
const next = (pageSize: PageSize, howMany: number, more: Partial<CamePage> = {}): number[] =>
	Array.from({ length: howMany }, () => came(pageSize, more));

const refused = new ServiceFailure('status', { statusCode: 413 });
const timedOut = new ServiceFailure('timeout', { gaveUp: 'retriesUsed' });

describe('the page size', () => {
	it('grows while pages come full, quickly and small', () => {
		const pageSize = new PageSize();
		expect(pageSize.size).toBe(100);
		expect(next(pageSize, 5)).toEqual([500, 1_000, 2_000, 2_000, 2_000]);
		expect(pageSize.end).toBeUndefined();
	});

	it('stays while pages come slowly', () => {
		const pageSize = new PageSize();
		expect(next(pageSize, 3, { tookMs: 2_000 })).toEqual([100, 100, 100]);
		expect(came(pageSize)).toBe(500);
	});

	it('stays where the next larger page would hold too many characters', () => {
		const pageSize = new PageSize();
		expect(came(pageSize, { characters: 2_000_001 })).toBe(100);
		expect(came(pageSize, { characters: 2_000_000 })).toBe(200);
		expect(came(pageSize, { characters: 1_600_001 })).toBe(200);
		expect(came(pageSize, { characters: 1_600_000 })).toBe(500);
		expect(came(new PageSize(), { characters: 800_000 })).toBe(500);
	});

	it.each([{ tookMs: 8_001 }, { characters: 8_000_001 }])('shrinks for good after %j', (more) => {
		const pageSize = new PageSize();
		next(pageSize, 2);
		expect(came(pageSize, more)).toBe(500);
		expect(came(pageSize)).toBe(500);
		expect(next(pageSize, 4, more)).toEqual([200, 100, 100, 100]);
	});

	it('goes back where the service gives no more than before', () => {
		const pageSize = new PageSize();
		next(pageSize, 1);
		expect(came(pageSize, { received: 100 })).toBe(100);
		expect(next(pageSize, 2)).toEqual([100, 100]);
		expect([pageSize.end, pageSize.mostReceived]).toEqual(['gaveFewer', 100]);
	});

	it('stays where the service gives more than before, and less than asked for', () => {
		const pageSize = new PageSize();
		next(pageSize, 1);
		expect(next(pageSize, 2, { received: 250 })).toEqual([500, 500]);
		expect([pageSize.end, pageSize.mostReceived]).toEqual(['gaveFewer', 250]);
	});

	it('learns nothing from the last page, nor from one that was cut to what is wanted', () => {
		const pageSize = new PageSize();
		expect(came(pageSize, { received: 3, hasNext: false })).toBe(100);
		expect(came(pageSize, { asked: 20, received: 20 })).toBe(100);
		expect(pageSize.end).toBeUndefined();
		expect(came(pageSize)).toBe(500);
	});

	it('goes back to the last good size after a refusal, and is not raised again', () => {
		const pageSize = new PageSize();
		next(pageSize, 2);
		expect(pageSize.failed(1_000, refused)).toBe(true);
		expect(next(pageSize, 3)).toEqual([500, 500, 500]);
		pageSize.restart();
		expect(next(pageSize, 3)).toEqual([500, 500, 500]);
		expect(pageSize.end).toBe('refused');
	});

	it('tries the size that it stepped over where the one behind it is refused', () => {
		const pageSize = new PageSize();
		expect([came(pageSize), pageSize.failed(500, refused), pageSize.size]).toEqual([
			500,
			true,
			100,
		]);
		expect(next(pageSize, 3)).toEqual([200, 200, 200]);
		const small = new PageSize();
		came(small);
		small.failed(500, refused);
		expect([came(small), small.failed(200, refused)]).toEqual([200, true]);
		expect([small.size, ...next(small, 2)]).toEqual([100, 100, 100]);
	});

	it('rests for one page after a passing fault of a size that went well, and ends with a second', () => {
		const pageSize = new PageSize();
		next(pageSize, 4);
		expect(pageSize.failed(2_000, timedOut)).toBe(true);
		expect([pageSize.size, came(pageSize), came(pageSize)]).toEqual([100, 2_000, 2_000]);
		for (const size of [2_000, 100]) {
			expect(pageSize.failed(2_000, timedOut)).toBe(true);
			expect([pageSize.size, came(pageSize)]).toEqual([100, size]);
		}
		expect(next(pageSize, 2)).toEqual([100, 100]);
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
		expect(pageSize.failed(500, failure)).toBe(false);
		expect(pageSize.size).toBe(500);
	});

	it('keeps to the first size for cursors that depend on it', () => {
		const pageSize = new PageSize();
		next(pageSize, 2);
		pageSize.keepFirst();
		expect([pageSize.size, ...next(pageSize, 2)]).toEqual([100, 100, 100]);
	});
});

it('a larger page is asked for once, and not waited for for long', () => {
	const limits = { maxRetries: 4, maxWaitMs: 300_000, timeoutMs: 60_000 };
	expect(limitsOfPage(limits, false)).toBe(limits);
	expect(limitsOfPage(limits, true)).toEqual({
		...limits,
		maxRetries: 0,
		mostRefusals: 3,
		timeoutMs: 15_000,
	});
	expect(limitsOfPage({ ...limits, timeoutMs: 500 }, true).timeoutMs).toBe(500);
});

it('says that it stays only where it does, however many records a page holds', () => {
	const answers = fc.record({
		tookMs: fc.constantFrom(10, 1_999, 2_000, 8_001),
		characters: fc.constantFrom(1_000, 2_000_000, 2_000_001, 8_000_001),
	});
	const share = fc.constantFrom(0, 0.5, 1, 1, 1, 1.2);
	const event = fc.record({ answer: answers, share, fails: fc.nat(9) });
	let stayed = 0;
	const play = (events: Array<{ answer: AnswerSize; share: number; fails: number }>): void => {
		const pageSize = new PageSize();
		for (const { answer, share: part, fails } of events) {
			const asked = pageSize.size;
			if (fails === 0 && asked > 100) {
				pageSize.failed(asked, timedOut);
				continue;
			}
			// Larger pages are proven once one has held more than one of the first size.
			pageSize.isProven ||= asked > 100;
			const stays = pageSize.staysAt(asked, answer);
			pageSize.came({ asked, received: Math.floor(asked * part), hasNext: true, ...answer });
			if (!stays) continue;
			stayed += 1;
			expect(pageSize.size).toBe(asked);
		}
	};
	fc.assert(fc.property(fc.array(event, { maxLength: 20 }), play), { numRuns: 2_000 });
	expect(stayed).toBeGreaterThan(2_000);
});
