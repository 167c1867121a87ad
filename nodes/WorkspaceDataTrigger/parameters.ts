import { InputProblem } from '../common/errors';
import {
	oneOf,
	optionalText,
	readFields,
	readOptions,
	shown,
	wholeNumber,
} from '../common/parameters';
import type { OrderField } from '../changes/version';

/** Records per request, unless the user says otherwise. */
export const DEFAULT_PAGE_SIZE = 100;
/** Larger pages would not fit into the stored state: it remembers the records of the last page. */
export const MOST_PER_PAGE = 1_000;
/** Records that one poll delivers at most, unless the user says otherwise. */
export const DEFAULT_RECORDS_PER_POLL = 1_000;
/** How late a record may be and still arrive, unless the user says otherwise. */
export const DEFAULT_OVERLAP_SECONDS = 30;

/** The checked parameters of the trigger. */
export interface TriggerParameters {
	objectType: string;
	/** The date to read by: created_at for Record Created, updated_at for Record Created or Updated. */
	field: OrderField;
	startFrom: 'now' | 'beginning';
	pageSize: number;
	maxRecordsPerPoll: number;
	overlapMs: number;
	/** Top-level fields to keep, `id` among them; undefined keeps all. */
	fields?: string[];
}

/**
 * Reads and checks the trigger's parameters.
 *
 * @param get gives a parameter's value, expressions resolved
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readTriggerParameters(
	get: (name: string, fallback?: unknown) => unknown,
): TriggerParameters {
	const event = oneOf(get('event', 'recordUpdated'), 'Event', ['recordCreated', 'recordUpdated']);
	const options = readOptions(get);
	const overlap = options.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
	return {
		objectType: readObjectType(get('objectType', '')),
		field: event === 'recordCreated' ? 'created_at' : 'updated_at',
		startFrom: oneOf(get('startFrom', 'now'), 'Start From', ['now', 'beginning']),
		pageSize: readPageSize(options.pageSize ?? DEFAULT_PAGE_SIZE),
		maxRecordsPerPoll: wholeNumber(
			options.maxRecordsPerPoll ?? DEFAULT_RECORDS_PER_POLL,
			'Max Records per Poll',
			1,
		),
		overlapMs: wholeNumber(overlap, 'Overlap (Seconds)', 0) * 1_000,
		fields: readFields(options.fields),
	};
}

function readObjectType(value: unknown): string {
	const objectType = optionalText(value, 'Object Type');
	if (objectType === undefined) {
		throw new InputProblem(
			'Object Type is empty',
			'Enter the name of the records to watch, for example company.',
		);
	}
	return objectType;
}

function readPageSize(value: unknown): number {
	const pageSize = wholeNumber(value, 'Page Size', 1);
	if (pageSize > MOST_PER_PAGE) {
		throw new InputProblem(
			`Page Size must be at most ${MOST_PER_PAGE}`,
			`It is ${shown(value)}. Larger pages do not fit into what n8n remembers for a trigger; set Max Records per Poll to get more records at once.`,
		);
	}
	return pageSize;
}
