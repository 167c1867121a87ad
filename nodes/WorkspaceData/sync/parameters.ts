import type { OrderField } from '../../changes/version';
import type { RequestLimits } from '../../client/request';
import {
	DEFAULT_MAX_RETRIES,
	DEFAULT_OVERLAP_SECONDS,
	MOST_PER_PAGE_OF_TRIGGER,
} from '../../common/defaults';
import { readAdditionalParameters } from '../../common/additional-parameters';
import { InputProblem } from '../../common/errors';
import { readFields } from '../../common/fields';
import { readObjectType } from '../../common/object-type';
import {
	oneOf,
	optionalText,
	readOptions,
	readRequestLimits,
	shown,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from '../../common/parameters';
import { readFileParameters, type FileParameters } from '../export/parameters';
import type { Operation } from '../operation';
import { readCheckpoint } from './checkpoint';

/** Where the place is kept from one run to the next; see `properties.ts`. */
export type ProgressKind = 'confirmed' | 'read' | 'given';

/** The checked parameters of Get Changes for one input item. */
export interface SyncParameters {
	objectType: string;
	/** The date to read by. */
	field: OrderField;
	startFrom: 'now' | 'beginning';
	outputAs: 'items' | 'batch' | 'ndjson' | 'csv';
	/** For `ndjson` and `csv` only. */
	files?: FileParameters;
	progress: ProgressKind;
	/** For `given` only: what the user gave; undefined for the start. */
	checkpoint?: unknown;
	/** What the place is kept under, in the place of the node. */
	syncName?: string;
	/** Most records of one run; Infinity for all. */
	maxRecords: number;
	overlapMs: number;
	/** Found out where it is undefined. */
	pageSize?: number;
	/** Top-level fields to keep, `id` among them; undefined keeps all. */
	fields?: string[];
	/** Sent with every page. */
	additional?: Record<string, unknown>;
	/** The service only estimates how many records there are. */
	ignoreTotal: boolean;
	limits: RequestLimits;
}

/**
 * Reads and checks the parameters of Get Changes.
 *
 * @throws InputProblem naming the parameter and the fix, before any request is sent
 */
export function readSyncParameters(get: GetParameter, operation: Operation): SyncParameters {
	const options = readOptions(get);
	const event = oneOf(get('event', 'recordUpdated'), 'Event', ['recordCreated', 'recordUpdated']);
	const outputAs = oneOf(get('outputAs', 'items'), 'Output As', [
		'items',
		'batch',
		'ndjson',
		'csv',
	]);
	const progress = oneOf(get('progress', 'confirmed'), 'Progress', ['confirmed', 'read', 'given']);
	if (progress === 'given' && outputAs === 'items') throw needsBatch();
	const overlap = options.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
	const most = options.maxRecords;
	return {
		objectType: readObjectType(get('objectType')),
		field: event === 'recordCreated' ? 'created_at' : 'updated_at',
		startFrom: oneOf(get('startFrom', 'beginning'), 'Start From', ['now', 'beginning']),
		outputAs,
		files:
			outputAs === 'ndjson' || outputAs === 'csv'
				? readFileParameters(options, outputAs)
				: undefined,
		progress,
		...(progress === 'given'
			? { checkpoint: readCheckpoint(get('checkpoint', '')) }
			: { syncName: optionalText(options.syncName, 'Sync Name') }),
		maxRecords: most === undefined ? Infinity : wholeNumber(most, 'Max Records per Run', 1),
		overlapMs: wholeNumber(overlap, 'Overlap (Seconds)', 0) * 1_000,
		pageSize: readPageSize(options.pageSize),
		fields: readFields(options.fields),
		additional: readAdditionalParameters(options.additionalParameters, 'body'),
		ignoreTotal: trueOrFalse(options.ignoreTotal, 'Ignore Total', false),
		limits: readRequestLimits(options, {
			maxRetries: DEFAULT_MAX_RETRIES,
			timeoutMs: operation.timeoutMs,
		}),
	};
}

/** One record per item leaves no place for the checkpoint: it belongs to all of them together. */
function needsBatch(): InputProblem {
	return new InputProblem(
		'With Progress "Given as a Checkpoint", Output As cannot be Items',
		'The new checkpoint belongs to all records of the run together, so one item per record has no place for it. Set Output As to Batch, NDJSON Files or CSV Files; a Split Out node after it makes items of a batch.',
	);
}

function readPageSize(value: unknown): number | undefined {
	if (value === undefined || value === null) return undefined;
	const pageSize = wholeNumber(value, 'Page Size', 1);
	if (pageSize <= MOST_PER_PAGE_OF_TRIGGER) return pageSize;
	throw new InputProblem(
		`Page Size must be at most ${MOST_PER_PAGE_OF_TRIGGER}`,
		`It is ${shown(value)}. Larger pages do not fit into what is remembered of a sync.`,
	);
}
