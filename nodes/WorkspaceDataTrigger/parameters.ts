import {
	DEFAULT_MAX_RETRIES,
	DEFAULT_OVERLAP_SECONDS,
	DEFAULT_READ_TIMEOUT_MS,
	DEFAULT_RECORDS_PER_POLL,
	MOST_PER_PAGE_OF_TRIGGER,
} from '../common/defaults';
import type { RequestLimits } from '../client/request';
import { readAdditionalParameters } from '../common/additional-parameters';
import { InputProblem } from '../common/errors';
import { readFields } from '../common/fields';
import { readObjectType } from '../common/object-type';
import {
	oneOf,
	optionalText,
	readOptions,
	readRequestLimits,
	shown,
	trueOrFalse,
	wholeNumber,
} from '../common/parameters';
import type { OrderField } from '../changes/version';

/** The checked parameters of the trigger. */
export interface TriggerParameters {
	objectType: string;
	/** The date to read by: created_at for Record Created, updated_at for Record Created or Updated. */
	field: OrderField;
	startFrom: 'now' | 'beginning';
	/** Found out where it is undefined. */
	pageSize?: number;
	maxRecordsPerPoll: number;
	overlapMs: number;
	/** Top-level fields to keep, `id` among them; undefined keeps all. */
	fields?: string[];
	/** Sent with every page. */
	additional?: Record<string, unknown>;
	/** The service only estimates how many records there are. */
	ignoreTotal: boolean;
	/** The user changes it to make the trigger start over. */
	startOver?: string;
	/** What "Fetch Test Event" shows. */
	testShows: 'records' | 'progress';
	/** What one request may take, as far as the time of a poll allows. */
	limits: RequestLimits;
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
		pageSize: readPageSize(options.pageSize),
		maxRecordsPerPoll: wholeNumber(
			options.maxRecordsPerPoll ?? DEFAULT_RECORDS_PER_POLL,
			'Max Records per Poll',
			1,
		),
		overlapMs: wholeNumber(overlap, 'Overlap (Seconds)', 0) * 1_000,
		fields: readFields(options.fields),
		additional: readAdditionalParameters(options.additionalParameters, 'body'),
		ignoreTotal: trueOrFalse(options.ignoreTotal, 'Ignore Total', false),
		startOver: optionalText(options.startOver, 'Start Over'),
		testShows: oneOf(options.testShows ?? 'records', 'Fetch Test Event Shows', [
			'records',
			'progress',
		]),
		limits: readRequestLimits(options, {
			maxRetries: DEFAULT_MAX_RETRIES,
			timeoutMs: DEFAULT_READ_TIMEOUT_MS,
		}),
	};
}

function readPageSize(value: unknown): number | undefined {
	if (value === undefined || value === null) return undefined;
	const pageSize = wholeNumber(value, 'Page Size', 1);
	if (pageSize > MOST_PER_PAGE_OF_TRIGGER) {
		throw new InputProblem(
			`Page Size must be at most ${MOST_PER_PAGE_OF_TRIGGER}`,
			`It is ${shown(value)}. Larger pages do not fit into what n8n remembers for a trigger; set Max Records per Poll to get more records at once.`,
		);
	}
	return pageSize;
}
