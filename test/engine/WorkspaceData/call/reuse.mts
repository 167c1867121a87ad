/** Runs of Enrich with Keep Results. */
import { beforeEach } from 'vitest';
import { DataTables } from '../../../data-tables.mts';
import { companiesNamed, domainsOf } from '../../../n8n/service.mts';
import type { NodeRun, RunOptions } from '../../harness/support.mts';
import { useEnrich } from './enriching.mts';

export { enrich, path } from './enriching.mts';

export const table = 'workspace_data_results';

/** Returns the companies with the numbers `from` to `to - 1`. */
export const companies = (from: number, to: number) => companiesNamed('company', to - from, from);
/** Returns the domains of these companies, sorted like `asked`. */
export const domains = (from: number, to: number) => domainsOf(companies(from, to));

/** Returns a sandbox, and data tables that are emptied before each test. */
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
		/** Returns the domains that the last run requested, sorted. */
		asked: () => domainsOf(bench.sandbox.requests.map(({ body }) => body)).toSorted(),
		rows: () => world.dataTables.tables.get(table) ?? [],
	};
	beforeEach(() => {
		world.dataTables = new DataTables();
	});
	return world;
}

/** Returns every object and list in a value, at any depth. A shared object occurs several times. */
export const objectsIn = (value: unknown): object[] =>
	typeof value !== 'object' || value === null
		? []
		: [value, ...Object.values(value).flatMap(objectsIn)];
