/** What a randomised history against the unkind sandbox is made of, and how it is drawn. */
import fc from 'fast-check';
import type { Fault, ObjectType, Unkindness } from '../../sandbox/types.mts';
import { faultCases } from '../client/fault-cases.mts';
import type { OnError } from '../harness/harness.mts';
import {
	lastingOfTriggers,
	ofCalls,
	ofLists,
	ofProspect,
	ofQuery,
	passingOfTriggers,
	unkindOf,
	unkindOfLongList,
} from './drawing-settings.mts';
import { withoutUnknowable, withoutUnnoticeable } from './visible.mts';

export type OutputAs = 'items' | 'pages' | 'ndjson' | 'csv';

interface Common {
	unkind: Unkindness;
	/** Names of the fault matrix's rows, with where they strike. */
	faults: DrawnFault[];
	records: number;
	latencyMs: number;
}

/** A scripted fault by its name in the matrix; replayed without knowing more than what is printed. */
export interface DrawnFault {
	name: string;
	skip: number;
	times: number;
}

interface OfNode extends Common {
	onError: OnError;
	maxRetries: number;
}

/** A list in one of its forms. */
export interface ListHistory extends OfNode {
	kind: 'list';
	operation: 'company' | 'order' | 'item' | 'query';
	objectType: ObjectType;
	pagination: 'cursor' | 'page';
	sort: 'updated_at' | 'created_at' | undefined;
	/** Undefined: Return All. */
	limit: number | undefined;
	pageSize: number | undefined;
	ignoreTotal: boolean;
	outputAs: OutputAs;
	recordsPerFile: number;
}

/** Several items for one call (or Who Am I). */
export interface CallHistory extends OfNode {
	kind: 'call';
	operation: 'enrich' | 'scoreCompany' | 'scoreDeal' | 'prospect' | 'prospectByGet' | 'whoAmI';
	/** What each item asks about; equal numbers are equal bodies. */
	subjects: number[];
	maxConcurrent: number;
	sendIdenticalOnce: boolean;
}

/** What happens between two looks at a trigger. */
export interface TriggerRound {
	changes: Array<{ do: 'create' | 'update' | 'remove'; place: number; count: number }>;
	/** Faults for the polls of this round. */
	faults: DrawnFault[];
	/** Limits, quotas and moves for the polls of this round. */
	unkind: Unkindness;
	/** No cursor of the rounds before is good any more. */
	expires: boolean;
	polls: number;
	/** Whether it is then left alone until nothing comes, and everything must have come. */
	drains: boolean;
	restarts: boolean;
}

/** A trigger from its activation on. */
export interface TriggerHistory extends Common {
	kind: 'trigger';
	objectType: 'company' | 'order' | 'item';
	event: 'recordUpdated' | 'recordCreated';
	startFrom: 'now' | 'beginning' | 'date';
	/** For `date`: which record's date it is, as a share of all. */
	startPlace: number;
	cursors: 'memory' | 'durable';
	pageSize: number | undefined;
	ignoreTotal: boolean;
	maxRecordsPerPoll: number;
	rounds: TriggerRound[];
}

export type DrawnHistory = ListHistory | CallHistory | TriggerHistory;

function faultsOf(names: string[]): fc.Arbitrary<DrawnFault[]> {
	const fault = fc.record({
		name: fc.constantFrom(...names),
		skip: fc.integer({ min: 0, max: 6 }),
		times: fc.integer({ min: 1, max: 2 }),
	});
	return fc.oneof(
		{ weight: 3, arbitrary: fc.constant<DrawnFault[]>([]) },
		{ weight: 2, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
	);
}

/** What the sandbox is told to play. */
export function scripted(faults: readonly DrawnFault[]): Fault[] {
	return faults.map(({ name, skip, times }) => {
		const found = faultCases.find((one) => one.name === name);
		if (found === undefined) throw new Error(`There is no fault "${name}".`);
		return { ...found.fault, skip, times };
	});
}

const anyFault = faultCases.map(({ name }) => name);
const callFault = faultCases.filter(({ listsOnly }) => !listsOnly).map(({ name }) => name);
// A poll waits long for an answer that does not come.
const triggerFault = anyFault.filter((name) => name !== 'no answer in time');

const records = fc.oneof(
	{ weight: 1, arbitrary: fc.integer({ min: 0, max: 8 }) },
	{ weight: 3, arbitrary: fc.integer({ min: 9, max: 60 }) },
);
const latencyMs = fc.integer({ min: 0, max: 2 });
const onError = fc.constantFrom<OnError>(
	'stopWorkflow',
	'continueRegularOutput',
	'continueErrorOutput',
);
const maxRetries = fc.integer({ min: 0, max: 3 });
const maybe = <Value,>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const listHistory: fc.Arbitrary<ListHistory> = fc
	.constantFrom('company', 'order', 'item', 'query', 'query')
	.chain((operation) =>
		fc.record({
			kind: fc.constant('list' as const),
			operation: fc.constant(operation),
			objectType:
				operation === 'query'
					? fc.constantFrom<ObjectType>('company', 'order', 'item', 'deal')
					: fc.constant<ObjectType>(operation),
			pagination: fc.constantFrom('cursor', 'cursor', 'page'),
			sort: maybe(fc.constantFrom('updated_at', 'created_at')),
			limit: maybe(fc.integer({ min: 1, max: 70 })),
			pageSize: maybe(fc.constantFrom(1, 3, 7, 10, 20, 40)),
			ignoreTotal: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
			outputAs: fc.constantFrom<OutputAs>('items', 'items', 'pages', 'ndjson', 'csv'),
			recordsPerFile: fc.constantFrom(4, 9, 50_000),
			onError,
			maxRetries,
			unkind: unkindOf(operation === 'query' ? ofQuery : ofLists, 4),
			faults: faultsOf(anyFault),
			records,
			latencyMs,
		}),
	);

/** Lists of more than the first pages hold. */
const longListHistory: fc.Arbitrary<ListHistory> = listHistory.chain((history) =>
	fc
		.record({
			limit: maybe(fc.integer({ min: 101, max: 900 })),
			pageSize: fc.constantFrom(undefined, undefined, 40, 250),
			recordsPerFile: fc.constantFrom(130, 50_000),
			unkind: unkindOfLongList(),
			records: fc.integer({ min: 101, max: 900 }),
		})
		.map((long) => ({ ...history, ...long })),
);

const callHistory: fc.Arbitrary<CallHistory> = fc
	.constantFrom('enrich', 'scoreCompany', 'scoreDeal', 'prospect', 'prospectByGet', 'whoAmI')
	.chain((operation) =>
		fc.record({
			kind: fc.constant('call' as const),
			operation: fc.constant(operation),
			subjects: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
			maxConcurrent: fc.constantFrom(1, 2, 5, 20),
			sendIdenticalOnce: fc.boolean(),
			onError,
			maxRetries,
			unkind: unkindOf(operation.startsWith('prospect') ? ofProspect : ofCalls, 3),
			faults: faultsOf(callFault),
			records: fc.constant(1),
			latencyMs,
		}),
	);

const round: fc.Arbitrary<TriggerRound> = fc.record({
	changes: fc.array(
		fc.record({
			do: fc.constantFrom('create', 'update', 'update', 'remove'),
			place: fc.nat({ max: 99 }),
			count: fc.integer({ min: 1, max: 9 }),
		}),
		{ maxLength: 3 },
	),
	faults: faultsOf(triggerFault),
	unkind: fc.oneof(
		{ weight: 2, arbitrary: fc.constant<Unkindness>({}) },
		{ weight: 1, arbitrary: unkindOf(passingOfTriggers, 1) },
	),
	expires: fc.integer({ min: 0, max: 2 }).map((number) => number === 0),
	polls: fc.integer({ min: 0, max: 2 }),
	drains: fc.boolean(),
	restarts: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
});

const triggerHistory: fc.Arbitrary<TriggerHistory> = fc
	.record({
		kind: fc.constant('trigger' as const),
		objectType: fc.constantFrom('company', 'order', 'item'),
		event: fc.constantFrom('recordUpdated', 'recordUpdated', 'recordCreated'),
		startFrom: fc.constantFrom('now', 'now', 'beginning', 'date'),
		startPlace: fc.nat({ max: 99 }),
		cursors: fc.constantFrom('memory', 'durable'),
		pageSize: maybe(fc.constantFrom(2, 5, 10, 25)),
		ignoreTotal: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
		maxRecordsPerPoll: fc.constantFrom(8, 30, 1_000),
		rounds: fc.array(round, { minLength: 2, maxLength: 5 }),
		unkind: unkindOf(lastingOfTriggers, 4),
		faults: faultsOf(triggerFault),
		// Now and then more than the trigger asks for to learn which records are the newest.
		records: fc.oneof(
			{ weight: 2, arbitrary: records },
			{ weight: 1, arbitrary: fc.integer({ min: 105, max: 140 }) },
		),
		latencyMs,
	})
	.map(withoutUnknowable);

/** One history: more than half of them lists, the rest calls and triggers. */
export const drawnHistory: fc.Arbitrary<DrawnHistory> = fc.oneof(
	{ weight: 5, arbitrary: listHistory.map(withoutUnnoticeable) },
	{ weight: 2, arbitrary: longListHistory.map(withoutUnnoticeable) },
	{ weight: 3, arbitrary: callHistory },
	{ weight: 2, arbitrary: triggerHistory },
);
