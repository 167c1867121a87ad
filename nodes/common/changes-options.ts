import type { INodeProperties } from 'n8n-workflow';

import { FIRST_PAGE_SIZE } from '../client/page-size';
import { DEFAULT_OVERLAP_SECONDS, MOST_PER_PAGE_OF_TRIGGER } from './defaults';

/** How late a change may show up; an option of what follows changes, like the other one here. */
export function overlapOption(reading: 'poll' | 'run'): INodeProperties {
	return {
		displayName: 'Overlap (Seconds)',
		name: 'overlapSeconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: DEFAULT_OVERLAP_SECONDS,
		description: `How late a change may show up and still be noticed: every ${reading} looks again at what is this much older than the newest record, by the dates of the service`,
	};
}

/** How many records to ask for per request. */
export const changesPageSizeOption: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_PER_PAGE_OF_TRIGGER },
	default: FIRST_PAGE_SIZE,
	description:
		'How many records to ask for per request. Without this option the node finds the size that the service allows and that is quick.',
};
