import type { INodeProperties } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../changes/reader';
import { additionalParametersOption, readAdditionalParameters } from './additional-parameters';
import { fieldsOption, readFields } from './fields-option';
import { readObjectType } from './object-type';
import {
	choiceOf,
	dateAndTime,
	optionalText,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from './read-parameters';
import { choice, date, group, number, text } from './parameter-builders';
import {
	readPageSize,
	readRequestLimits,
	DEFAULT_READ_TIMEOUT_MS,
	ignoreTotalOption,
	pageSizeOption,
	requestOptions,
} from './request-options';

/** Default of Lookback Window in the trigger and in Sync, in seconds. */
export const DEFAULT_LOOKBACK_SECONDS = 30;

/** Differences between the trigger (`poll`) and Sync (`run`), such as the default of Start From. */
const FOLLOWERS = {
	poll: { eventLabel: 'Trigger On', start: 'now' },
	run: { eventLabel: 'Event', start: 'beginning' },
} as const;
type Follower = keyof typeof FOLLOWERS;

/** Reads and checks the parameters that the trigger and Sync share. Throws InputProblem for invalid values. */
export function readChangesParameters(
	get: GetParameter,
	options: Record<string, unknown>,
	follower: Follower,
	timezone: string,
) {
	const event = choiceOf(get, eventProperty(follower));
	const { overlapSeconds = DEFAULT_LOOKBACK_SECONDS } = options;
	const startFrom = choiceOf(get, startProperty(follower));
	const otherStarts = "set 'Start From' to Now or Beginning";
	return {
		objectType: readObjectType(get('objectType', '')),
		field: event === 'recordCreated' ? ('created_at' as const) : ('updated_at' as const),
		startFrom,
		...(startFrom === 'date' && {
			/** Start Date in ms since 1970. */
			startDate: dateAndTime(get('startDate', ''), 'Start Date', timezone, otherStarts),
		}),
		lookbackMs: wholeNumber(overlapSeconds, 'Lookback Window', 0) * 1_000,
		pageSize: readPageSize(options, MAX_PER_PAGE),
		fields: readFields(options.fields),
		additional: readAdditionalParameters(options.additionalParameters, 'body'),
		ignoreTotal: trueOrFalse(options.ignoreTotal, 'Ignore Total', false),
		startOver: optionalText(options.startOver, 'Start Over'),
		limits: readRequestLimits(options, DEFAULT_READ_TIMEOUT_MS),
	};
}

/** Returns the parameter that chooses which changes count: new records only, or also updated records. */
export function eventProperty(follower: Follower) {
	const description = 'What counts as a change. Deleted records are never returned.';
	return choice(FOLLOWERS[follower].eventLabel, 'event', {
		choices: {
			recordCreated: ['Record Created', 'Returns new records'],
			recordUpdated: ['Record Created or Updated', 'Returns new and changed records'],
		},
		default: 'recordUpdated',
		// Give a description only to Sync, because n8n's guidelines do not allow a description of Trigger On.
		...(follower === 'run' && { description }),
	});
}

function startProperty(follower: Follower) {
	return choice('Start From', 'startFrom', {
		choices: {
			beginning: ['Beginning', 'All existing records first, then changes'],
			date: ['Date', 'All records changed after Start Date first, then changes'],
			now: ['Now', `Only records created or changed after the first ${follower}`],
		},
		default: FOLLOWERS[follower].start,
		description: `Where the first ${follower} starts. Later ${follower}s continue where the previous one ended.`,
	});
}

/** Returns the parameters Start From and Start Date. The panel shows Start Date only if Start From is Date. */
export function startProperties(follower: Follower): INodeProperties[] {
	return [
		startProperty(follower),
		date('Start Date', 'startDate', {
			required: true,
			displayOptions: { show: { startFrom: ['date'] } },
			description:
				'Returns records with a later date. A date without a time zone is in the time zone of the workflow.',
		}),
	];
}

/** Returns the options that the trigger and Sync share. */
export function changesOptions(follower: Follower): INodeProperties[] {
	const pageSize = pageSizeOption(
		'Records per request. With 0, the node finds the fastest size that the service allows.',
		MAX_PER_PAGE,
	);
	return [
		additionalParametersOption,
		fieldsOption,
		group('Pagination (Page Size)', 'pagination', [ignoreTotalOption, pageSize]),
		requestOptions(DEFAULT_READ_TIMEOUT_MS),
		number('Lookback Window (Seconds)', 'overlapSeconds', {
			minValue: 0,
			default: DEFAULT_LOOKBACK_SECONDS,
			description: `How many seconds the service may take to show a change. Each ${follower} reads the changes of this time again, and returns only new ones.`,
		}),
		text('Start Over (Reset)', 'startOver', {
			placeholder: 'e.g. 2026-11-30',
			description:
				"Enter any new text, such as today's date, and publish the workflow. The node then discards the saved progress and starts again at Start From. Each text works only once, even if you restore an old version of the workflow.",
		}),
	];
}
