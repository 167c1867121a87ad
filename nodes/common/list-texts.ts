import type { FailureFacts } from '../client/failures';

/** What happened, and what to do. */
export type Text = readonly [message: string, fix: string];

function count(records: number): string {
	return records.toLocaleString('en-US');
}

const ASK = 'Report it to the service.';

/** The texts of failures that only lists have, by their kind: pages that do not fit together. */
export const LIST_TEXTS = {
	missingItems: () => [
		'The API response holds no list of records',
		`Check the Base URL in the credential, or report it to the service.\nA list must have "data.items" with one object per record.`,
	],
	missingPagination: () => [
		'The API response does not say how the list continues',
		`${ASK}\nA list must have a usable "meta.pagination". Without it records could be missing, so the list was stopped here.`,
	],
	repeatedPage: () => [
		'The service repeats itself: its next page is one that was already read',
		`${ASK}\nFollowing it would never end, so the list was stopped here.`,
	],
	emptyPages: ({ nextCursor }) => [
		'The service returned nothing but empty pages for a long time',
		`${ASK}\nIt always says that more follow, so the list was stopped here${nextCursor === undefined ? '' : '; it can be resumed'}.`,
	],
	incompleteList: ({ recordsRead = 0, total = 0 }) => [
		`The list ended early: ${count(recordsRead)} of ${count(total)} records came`,
		'Run this again. If it ends early again, set the option Page Size to 10, since the service may return fewer records than it was asked for. If its total is only an estimate, turn on the option Ignore Total.',
	],
	unprovenEnd: () => [
		'The service does not show whether the list has ended',
		`Set the option Page Size to 20, and read the list again from its beginning.\nIt gave no next cursor and no usable total, and refused to give the last page once more with fewer records. More records may follow.`,
	],
	undatedList: ({ dateField = 'updated_at' }) => [
		`No record has a date in "${dateField}" that can be read`,
		'Choose another date under Sort, or remove Changed After and Changed Before.',
	],
	notAscending: () => [
		'The list does not come in the order of its dates',
		'Use Get Many or Query without Newest First, Changed After and Changed Before, which reads the list as it comes.\nChanges and these options need the records in ascending order of their date, and here dates go down from one record to the next. Report it to the service.',
	],
	tooManyUndated: ({ dateField = 'updated_at' }) => [
		`More than 2,000 records have no date and time in "${dateField}"`,
		`${
			dateField === 'updated_at'
				? 'Set Event to Record Created if the records have a "created_at". Otherwise leave'
				: 'Leave'
		} those records out with the option Additional Parameters, or ask the operator of the service to fill in date and time.\nChanges are found by this date. Records without it, or with a day or a minute only, cannot be followed in such numbers.`,
	],
	endlessSearch: () => [
		'The place in the list cannot be found again',
		'Poll more often, so that the cursor is still accepted, or set a larger Page Size, so that the list is read in one poll. For a list of this size, Sync in a scheduled workflow has no such limit.\nThe service refused the remembered cursor several times, and reading the list from its beginning takes longer than one poll. Nothing is lost so far.',
	],
	wrongTotal: ({ received = 0, total = 0 }) => [
		`The service contradicts itself: ${count(received)} records came on a page, but the list has ${count(total)} in all`,
		'Use cursor pagination, or turn on the option Ignore Total if the total of this service is only an estimate.\nMore records may follow, so the list was stopped here.',
	],
	incompletePage: ({ received }) => [
		'The service returned fewer records than it says the page holds',
		`Set Page Size to at most ${received || 100}, or use cursor pagination.\nTo continue would leave records out, so the list was stopped here.`,
	],
	overfullPage: ({ received }) => [
		'The service returned more records than it says the page holds',
		`Use cursor pagination, or report it to the service.\nIt returned ${received ?? 'too many'}. To continue would return some of them twice or leave others out, so the list was stopped here.`,
	],
	changedList: () => [
		'The list changed while its pages were read',
		'Run this again, or set a larger Page Size: fewer requests leave less time for changes. At most services, cursor pagination with the oldest records first is not disturbed by them.\nRecords have moved to other pages meanwhile, so to continue could leave some out.',
	],
	stuckPage: () => [
		'The service repeats itself: its pages do not advance',
		'Use cursor pagination, or report it to the service.\nFollowing it would never end, so the list was stopped here.',
	],
	unnumbered: () => [
		'The service does not tell which records are the newest',
		'Set the option Order to Oldest First.\nNewest First reads numbered pages from the end of the list, in the order of the date, and here the service returns no such pages.',
	],
} satisfies Record<string, (facts: FailureFacts) => Text>;
