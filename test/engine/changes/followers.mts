/** The trigger and Sync, followed in one way: what each of them promises of changes is tested with both. */
import type { INode } from 'n8n-workflow';
import { expect } from 'vitest';
import { sandboxCredentials, type ObjectType } from '../../sandbox/server.mts';
import { TableInMemory } from '../../unit/WorkspaceData/sync/n8n.mts';
import {
	CREDENTIAL_TYPE,
	NODE_TYPE,
	PASS_NODE_TYPE,
	runWorkflow,
	START_NODE_TYPE,
	type WorkflowOptions,
	type WorkflowRun,
} from '../harness/harness.mts';
import type { Bench } from '../harness/support.mts';
import { createPoller, type Poller } from '../harness/trigger-poller.mts';

export type Json = Record<string, unknown>;

/** What is followed, and how. */
export interface Following {
	objectType?: ObjectType;
	event?: 'recordUpdated' | 'recordCreated';
	startFrom?: 'now' | 'beginning' | 'date';
	/** For `date`. */
	startDate?: string;
	/** The most records of one poll or run. */
	most?: number;
	/** Further options, which both have. */
	options?: Record<string, unknown>;
	apiKey?: string;
	/** What n8n gives a poll, in ms; Sync has no such limit. */
	budgetMs?: number;
}

/** Something that gives changes, from poll to poll or from run to run. */
export interface Follower {
	/**
	 * One poll, or one run that is confirmed.
	 *
	 * @returns the records that came
	 * @throws what ends the poll or the run
	 */
	next(): Promise<Json[]>;
	/** From now on by other settings, from the place that is remembered. */
	change(settings: Following): Promise<void>;
	/** The longest text that is remembered. */
	remembered(): string;
}

/** Makes a follower of companies, by default of those that change from now on. */
export type MakeFollower = (bench: Bench, settings?: Following) => Promise<Follower>;

const defaults = {
	objectType: 'company',
	event: 'recordUpdated',
	startFrom: 'now',
	apiKey: sandboxCredentials.v2Full,
} as const satisfies Following;

/** What both nodes call alike. */
function parametersOf({ objectType, event, startFrom, startDate, options }: Following): Json {
	return { objectType, event, startFrom, ...(startDate && { startDate }), options };
}

const followTrigger: MakeFollower = async (bench, settings = {}) => {
	let how: Following = { ...defaults, ...settings };
	const start = async (): Promise<Poller> => {
		const { most, options, apiKey } = how;
		const parameters = parametersOf({
			...how,
			options: { ...options, ...(most && { maxRecordsPerPoll: most }) },
		});
		// Durable, so that what a quiet poll remembers is kept as well.
		return await createPoller({ parameters, credential: bench.v2(apiKey), cursors: 'durable' });
	};
	let poller = await start();
	return {
		next: async () => {
			const { items } = await poller.poll({
				budgetMs: how.budgetMs ?? 300_000,
				isActivation: false,
			});
			return (items ?? []).map(({ json }) => json);
		},
		change: async (more) => {
			how = { ...how, ...more };
			const { stored } = poller;
			poller = await start();
			poller.stored = stored;
		},
		remembered: () => JSON.stringify(poller.stored),
	};
};

/** Get Changes, then work of the type `between`, by default none, and Confirm Changes. */
export async function runSync(
	bench: Bench,
	tables: TableInMemory,
	parameters: Json,
	more: {
		node?: Partial<INode>;
		apiKey?: string;
		between?: string;
		/** Further nodes of the kind of Get Changes, which nothing leads to. */
		extraNodes?: Array<Pick<INode, 'id' | 'name'>>;
	} & Partial<WorkflowOptions> = {},
): Promise<WorkflowRun> {
	const { node: settings, apiKey, between = PASS_NODE_TYPE, extraNodes = [], ...others } = more;
	const credentials = { [CREDENTIAL_TYPE]: { id: 'credential-under-test', name: 'Credential' } };
	const node = (name: string, type: string, rest: Partial<INode> = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...rest,
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	return await runWorkflow({
		nodes: [
			node('Start', START_NODE_TYPE),
			node('Get Changes', NODE_TYPE, {
				parameters: {
					resource: 'sync',
					operation: 'getChanges',
					...parameters,
				} as INode['parameters'],
				credentials,
				...settings,
			}),
			...extraNodes.map((one) => node(one.name, NODE_TYPE, one)),
			node('Work', between),
			node('Confirm Changes', NODE_TYPE, {
				parameters: { resource: 'sync', operation: 'confirm' },
				credentials,
			}),
		],
		connections: {
			Start: to('Get Changes'),
			'Get Changes': to('Work'),
			Work: to('Confirm Changes'),
		},
		startNode: 'Start',
		credentials: { 'credential-under-test': bench.v2(apiKey) },
		dataTables: tables,
		mode: 'trigger',
		...others,
	});
}

const followSync: MakeFollower = async (bench, settings = {}) => {
	let how: Following = { ...defaults, ...settings };
	const tables = new TableInMemory();
	return {
		next: async () => {
			const { most, options, apiKey } = how;
			const parameters = parametersOf({
				...how,
				options: { ...options, ...(most && { maxRecords: most }) },
			});
			const run = await runSync(bench, tables, parameters, { apiKey });
			// n8n keeps a copy of the error's fields.
			if (run.error) throw Object.assign(new Error(run.error.message), run.error);
			const [{ outputs } = { outputs: [] }] = run.nodes['Get Changes'] ?? [];
			return (outputs[0] ?? []).map(({ json }) => json);
		},
		change: async (more) => {
			how = { ...how, ...more };
		},
		remembered: () => {
			const texts = tables.rows.flatMap(({ committed, pending }) => [
				committed ?? '',
				pending ?? '',
			]);
			return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
		},
	};
};

/** Both of them, for `describe.each`. */
export const followers: ReadonlyArray<[name: string, follow: MakeFollower]> = [
	['the trigger', followTrigger],
	['Sync', followSync],
];

/** Polls or runs until nothing comes; the records of all. */
export async function drain(follower: Follower): Promise<Json[]> {
	const records: Json[] = [];
	for (let rounds = 0; rounds < 200; rounds++) {
		const more = await follower.next();
		if (more.length === 0) return records;
		for (const record of more) records.push(record);
	}
	throw new Error('It does not come to rest.');
}

/** Told apart by a field that has all its digits in every setting. */
const keyFields: Partial<Record<ObjectType, string>> = {
	company: 'domain',
	order: 'number',
	item: 'sku',
	deal: 'title',
};

/** What came is these records as they are now, each once. Says numbers only, since thousands of records would hide them. */
export function expectExactly(
	bench: Bench,
	objectType: ObjectType,
	came: readonly Json[],
	ids: readonly string[],
): void {
	const nameOf = (record: Json) =>
		`${String(record[keyFields[objectType] ?? 'id'])} ${String(record.revision)}`;
	const chosen = new Set(ids);
	const records: Json[] = [...bench.sandbox.records(objectType)];
	const wanted = new Set(records.filter(({ id }) => chosen.has(String(id))).map(nameOf));
	const found = came.map(nameOf);
	const distinct = new Set(found);
	expect({
		came: found.length,
		missing: [...wanted].filter((one) => !distinct.has(one)).length,
		notWanted: [...distinct].filter((one) => !wanted.has(one)).length,
	}).toEqual({ came: wanted.size, missing: 0, notWanted: 0 });
}

/** The ids of so many records that exist, not in the order of their dates. */
export function someIds(bench: Bench, objectType: ObjectType, howMany: number, from = 0): string[] {
	const ids = [...bench.sandbox.records(objectType)].map(({ id }) => String(id));
	expect(ids.length, 'ids').toBeGreaterThanOrEqual(from + howMany);
	return ids.slice(from, from + howMany);
}

/** How many requests of its list a poll or run makes. */
export async function requestsOf(bench: Bench, work: () => Promise<unknown>): Promise<number> {
	const isQuery = ({ path }: { path: string }) => path === '/v2/public/records/query';
	const before = bench.sandbox.requests.filter(isQuery).length;
	await work();
	return bench.sandbox.requests.filter(isQuery).length - before;
}
