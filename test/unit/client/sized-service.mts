import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { expect } from 'vitest';

import type { ListEnvelope } from '../../../nodes/client/api.ts';
import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { PageSize } from '../../../nodes/client/page-size.ts';
import { readPages, type FetchPage } from '../../../nodes/client/pages.ts';

/** What a service does with a page larger than it likes. */
type Dislike = { above: number; by: 'silence' } | { above: number; by: 'failure'; kind: string };

/** A service that keeps to the specification, as far as sizes of pages go. */
export interface Hostile {
	records: number;
	/** From which request on which of them holds: caps change midway. */
	dislikes: Array<Dislike & { from: number }>;
	/** Requests for more than 100 that fail once, by number. */
	passing: number[];
	/** The request that is refused, whatever it asks for, by number. */
	refused?: number;
	/** A cursor goes by the page's number and the limit that comes with it, or ends with a limit other than its own. */
	cursors: 'byRecord' | 'byPage' | 'refusesOthers' | 'keepsItsLimit';
	/** Its pages name their next cursor where it can be read before the records are parsed. */
	tellsEarly?: boolean;
	/** Pages that come slowly or are large. */
	tookMs: number;
	perRecord: number;
}

export const FAILURES: Record<string, ServiceFailure> = {
	...Object.fromEntries(
		[400, 403, 413, 418, 422].map((code) => [
			code,
			new ServiceFailure('status', { statusCode: code }),
		]),
	),
	...Object.fromEntries(
		[408, 500, 502, 503, 504].map((statusCode) => [
			statusCode,
			new ServiceFailure('status', { statusCode, gaveUp: 'retriesUsed' }),
		]),
	),
	429: new ServiceFailure('status', { statusCode: 429, gaveUp: 'retriesUsed' }),
	unsuccessful: new ServiceFailure('unsuccessful'),
	timeout: new ServiceFailure('timeout', { gaveUp: 'retriesUsed' }),
	lost: new ServiceFailure('connectionLost', { gaveUp: 'retriesUsed' }),
	cutOff: new ServiceFailure('invalidBody', { gaveUp: 'retriesUsed' }),
	noItems: new ServiceFailure('missingItems'),
};

const dislike: fc.Arbitrary<Dislike & { from: number }> = fc
	.record({
		above: fc.constantFrom(100, 150, 200, 499, 500, 999, 1_000, 1_500),
		from: fc.nat(12),
		kind: fc.constantFrom('silence', ...Object.keys(FAILURES)),
	})
	.map(({ above, from, kind }) =>
		kind === 'silence'
			? { above, from, by: 'silence' as const }
			: { above, from, by: 'failure' as const, kind },
	);

export const hostile: fc.Arbitrary<Hostile> = fc.record({
	records: fc.integer({ min: 0, max: 15_000 }),
	dislikes: fc.array(dislike, { maxLength: 2 }),
	passing: fc.constant([]),
	cursors: fc.constantFrom('byRecord', 'byRecord', 'byPage', 'refusesOthers', 'keepsItsLimit'),
	tellsEarly: fc.boolean(),
	tookMs: fc.constantFrom(10, 10, 10, 1_999, 3_000, 9_000),
	perRecord: fc.constantFrom(500, 500, 20_000, 100_000),
});

/** Answers like the service; `failures` counts the requests that it did not answer, `early` as in `Run`. */
export function serve(
	service: Hostile,
	isFound = true,
): {
	asked: number[];
	failures: () => number;
	early: () => number;
	fetchPage: FetchPage;
} {
	const asked: number[] = [];
	let failures = 0;
	let early = 0;
	const fail = (failure: ServiceFailure): never => {
		failures += 1;
		throw failure;
	};
	const fetchPage: FetchPage = async (request, { isLarger, onAnswer, onNextCursor }) => {
		const number = asked.push(request.limit) - 1;
		// No answer is there before what was under way when it was asked for.
		await setImmediate();
		expect(isLarger).toBe(isFound && request.limit > 100);
		if (number === service.refused) fail(FAILURES['418']);
		const active = service.dislikes.filter(({ from }) => number >= from);
		const [position, own] =
			'cursor' in request ? request.cursor.split('/').map(Number) : [0, request.limit];
		if (isLarger && service.passing.includes(number)) fail(FAILURES['502']);
		for (const one of active) {
			if (request.limit > one.above && one.by === 'failure') fail(FAILURES[one.kind]);
		}
		if (service.cursors === 'refusesOthers' && request.limit !== own) fail(FAILURES['400']);
		const limit = service.cursors === 'keepsItsLimit' ? own : request.limit;
		const caps = active.filter(({ by }) => by === 'silence').map(({ above }) => above);
		const size = Math.min(limit, ...caps);
		const isByPage = service.cursors === 'byPage';
		const start = isByPage ? position * size : position;
		const end = Math.min(service.records, start + size);
		const items = Array.from({ length: Math.max(0, end - start) }, (_, i) => ({ id: start + i }));
		const next_cursor = `${isByPage ? position + 1 : end}/${limit}`;
		const pagination = end < service.records ? { next_cursor } : {};
		const answer = { tookMs: service.tookMs, characters: items.length * service.perRecord };
		if (service.tellsEarly && end < service.records) {
			const askedBefore = asked.length;
			await onNextCursor?.(next_cursor, answer);
			early += asked.length - askedBefore;
		}
		onAnswer(answer);
		return { success: true, data: { items }, meta: { pagination } } as ListEnvelope;
	};
	return { asked, failures: () => failures, early: () => early, fetchPage };
}

/** What came out, and what was asked for it. */
export interface Run {
	ids: unknown[];
	sizes: number[];
	asked: number[];
	failures: number;
	/** Requests that came before the page before them was parsed. */
	early: number;
}

/** Reads the whole list from such a service. */
export async function read(
	service: Partial<Hostile>,
	{
		found = new PageSize(),
		...more
	}: { found?: PageSize; pageSize?: number; boundary?: number; maximum?: number } = {},
): Promise<Run> {
	const kind = { records: 5_000, dislikes: [], passing: [], cursors: 'byRecord' as const };
	const isFound = more.pageSize === undefined;
	const { asked, failures, early, fetchPage } = serve(
		{ ...kind, tookMs: 10, perRecord: 500, ...service },
		isFound,
	);
	const options = { mode: 'cursor' as const, sort: 'updated_at' as const, found, ...more };
	const ids: unknown[] = [];
	const sizes: number[] = [];
	for await (const { envelope } of readPages(fetchPage, options, async () => {})) {
		for (const { id } of envelope.data.items) ids.push(id);
		sizes.push(envelope.data.items.length);
	}
	return { ids, sizes, asked, failures: failures(), early: early() };
}

/** The ids of so many records. */
export const upTo = (records: number): number[] => Array.from({ length: records }, (_, id) => id);
