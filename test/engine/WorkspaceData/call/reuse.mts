/** Runs Enrich with Keep Results in tests, with simulated data tables of n8n. */
import { beforeEach } from 'vitest';
import { DataTables } from '../../../data-tables.mts';
import { companiesNamed, domainsOf } from '../../../n8n/service.mts';
import type { NodeRun, RunOptions } from '../../harness/support.mts';
import { useEnrich } from './enriching.mts';

export { enrich, path } from './enriching.mts';

export const table = 'workspace_data_results';

/** Returns the companies with the numbers `from` to `to - 1`. */
export const companies = (from: number, to: number) => companiesNamed('company', to - from, from);
/** Returns the sorted domains of the companies with the numbers `from` to `to - 1`. */
export const domains = (from: number, to: number) => domainsOf(companies(from, to));

/** Returns a sandbox, a function that runs Enrich, and data tables that are emptied before each test. */
export function useReuse() {
	const { bench, run } = useEnrich([]);
	const world = {
		bench,
		dataTables: new DataTables(),
		async run(
			items: object[],
			options: Record<string, unknown> = {},
			more: Partial<RunOptions> = {},
			beside: Record<string, unknown> = {},
		): Promise<NodeRun> {
			bench.sandbox.clearRequests();
			const { dataTables } = world;
			return await run(
				{ cache: { values: {} }, ...options },
				{ items, dataTables, ...more },
				beside,
			);
		},
		/** Returns the sorted domains for which the last run sent requests. */
		asked: () => domainsOf(bench.sandbox.requests.map(({ body }) => body)).toSorted(),
		rows: () => world.dataTables.tables.get(table) ?? [],
	};
	beforeEach(() => {
		world.dataTables = new DataTables();
	});
	return world;
}

/** Returns every object and list in a value, at any depth. An object that occurs twice is returned twice. */
export const objectsIn = (value: unknown): object[] =>
	typeof value !== 'object' || value === null
		? []
		: [value, ...Object.values(value).flatMap(objectsIn)];
