import { median } from './statistics.mts';
import { largestPage, type Results } from './types.mts';

/** What an export to NDJSON costs, computed from what was measured. */
export interface Costs {
	/** Seconds of one request besides its records and the latency. */
	perRequest: number;
	/** Seconds of one record, until it is in a stored file. */
	perRecord: number;
}

/** An export to plan. */
export interface Plan {
	records: number;
	pageSize: number;
	/** Seconds from n8n to the service and back. */
	latencySeconds: number;
	/** How many read a part of it at the same time, each on a processor of its own. */
	readers?: number;
}

/** From how many records on n8n's own start and end no longer count. */
const measuredRecords = 1_000_000;
const comparedRecords = 100_000;

/**
 * The costs by a run of the benchmark: two page sizes tell what a request costs, a large export what a record does.
 *
 * @returns undefined where the run did not measure what is needed
 */
export function costsOf({ timings, memory }: Results): Costs | undefined {
	const secondsAt = (pageSize: number): number | undefined => {
		const found = timings.find(
			(one) => one.records === comparedRecords && one.pageSize === pageSize && one.latencyMs === 0,
		);
		return found?.seconds.node.length ? median(found.seconds.node) : undefined;
	};
	const [small, large] = [secondsAt(100), secondsAt(largestPage)];
	const exported = memory.find(
		({ output, records }) => output === 'ndjson' && records === measuredRecords,
	);
	if (small === undefined || large === undefined || exported === undefined) return undefined;
	const requests = comparedRecords / 100 - comparedRecords / largestPage;
	const perRequest = Math.max(0, (small - large) / requests);
	const perRecord = exported.seconds / measuredRecords - perRequest / largestPage;
	return Number.isFinite(perRecord) ? { perRequest, perRecord } : undefined;
}

/** How long a planned export takes, in seconds. It is a little less, since the next page comes while one is handled. */
export function secondsOf({ perRequest, perRecord }: Costs, plan: Plan): number {
	const { records, pageSize, latencySeconds, readers = 1 } = plan;
	const requests = records / pageSize;
	return (requests * (latencySeconds + perRequest) + records * perRecord) / readers;
}

/** What was measured as a multiple of what the plan says, for the largest export to NDJSON; undefined without one. */
export function measuredAgainstPlan({ memory, ...rest }: Results): number | undefined {
	const costs = costsOf({ memory, ...rest });
	const largest = memory.find(
		({ output, records }) => output === 'ndjson' && records > measuredRecords,
	);
	if (costs === undefined || largest === undefined) return undefined;
	const plan = { records: largest.records, pageSize: largestPage, latencySeconds: 0 };
	return largest.seconds / secondsOf(costs, plan);
}
