/** Runs of Enrich with Keep Results: what was paid for is kept in a data table of n8n, and used in place of a call. */
import { beforeEach } from 'vitest';
import { DataTables } from '../../../data-tables.mts';
import { companiesNamed, domainsOf } from '../../../n8n/service.mts';
import type { NodeRun, RunOptions } from '../../harness/support.mts';
import { useEnrich } from './enriching.mts';

export { enrich, path } from './enriching.mts';

export const table = 'workspace_data_results';

/** Companies from one number to another. */
export const companies = (from: number, to: number) => companiesNamed('company', to - from, from);
/** Their domains, in the order of `asked`. */
export const domains = (from: number, to: number) => domainsOf(companies(from, to));

/** A sandbox, and data tables that are empty before each test. */
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
		/** The domains of the requests of the last run, in order of their names. */
		asked: () => domainsOf(bench.sandbox.requests.map(({ body }) => body)).toSorted(),
		rows: () => world.dataTables.tables.get(table) ?? [],
	};
	beforeEach(() => {
		world.dataTables = new DataTables();
	});
	return world;
}

/** Returns every object and list in a value, at any depth. A shared one is there as often as it is used. */
export const objectsIn = (value: unknown): object[] =>
	typeof value !== 'object' || value === null
		? []
		: [value, ...Object.values(value).flatMap(objectsIn)];
