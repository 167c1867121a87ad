import type { Failure } from 'n8n-workflow';

import type { FailureFacts } from '../client/failures';

/** What is said of a list whose pages do not fit together. */
type ListWriter = (facts: FailureFacts) => {
	message: string;
	description: string;
	cause?: Failure;
};

function count(records: number): string {
	return records.toLocaleString('en-US');
}

/** The texts of failures that only lists have, by their kind. */
export const LIST_KINDS = {
	missingItems: () => ({
		message: 'The answer of the service holds no list of records',
		description:
			'A list must have "data.items" with one object per record. Check the Base URL of the credential, or report it to the service.',
	}),
	missingPagination: () => ({
		message: 'The answer of the service does not say how the list goes on',
		description:
			'A list must have a usable "meta.pagination"; without it records could be missing, so nothing was guessed. Report it to the service.',
	}),
	repeatedCursor: () => ({
		message: 'The service repeats itself: its next page is one that was already read',
		description:
			'Following it would never end, so the list was stopped here. Report it to the service.',
	}),
	emptyPages: ({ nextCursor }) => ({
		message: 'The service gave nothing but empty pages for a long time',
		description: `It always says that more follow, so the list was stopped here${nextCursor === undefined ? '' : '; it can be resumed'}. Report it to the service.`,
	}),
	incompleteList: ({ recordsRead = 0, total = 0 }) => ({
		message: `The list ended early: ${count(recordsRead)} of ${count(total)} records came`,
		description:
			'Run this again. If it ends early again, set the option Page Size to 5, since the service may give fewer records than it was asked for. If its total is only an estimate, turn on the option Ignore Total.',
	}),
	notAscending: () => ({
		message: 'The list does not come in the order of its dates',
		description:
			'Changes, Newest First and Changed After need the records in ascending order of their date, and here dates go down from one record to the next. Report it to the service; Get Many and Query without these options read the list as it comes.',
	}),
	tooManyUndated: ({ dateField = 'updated_at' }) => ({
		message: `More than 2,000 records have no date in "${dateField}"`,
		description: `Changes are found by this date, so records without it cannot be followed in such numbers.${
			dateField === 'updated_at'
				? ' Set Event to Record Created if the records have a "created_at".'
				: ''
		} Otherwise leave those records out with the option Additional Parameters, or ask the operator of the service to fill in the date.`,
		cause: { cause: 'configuration-invalid' },
	}),
	endlessSearch: () => ({
		message: 'The place in the list cannot be found again',
		description:
			'The service did not accept the remembered cursor several times, and reading the list from its beginning takes longer than one poll. Nothing is lost so far. Poll more often, so that the cursor is still accepted, or set a larger Page Size, so that the list is read in one poll. For a list of this size, Sync in a scheduled workflow has no such limit.',
	}),
	wrongTotal: ({ received = 0, total = 0 }) => ({
		message: `The service contradicts itself: ${count(received)} records came on a page, but the list has ${count(total)} in all`,
		description:
			'More records may follow, so nothing was guessed. Use cursor pagination, or turn on the option Ignore Total if the total of this service is only an estimate.',
	}),
	incompletePage: ({ received }) => ({
		message: 'The service gave fewer records than it says the page holds',
		description: `Going on would leave records out, so nothing was guessed. Set Page Size to at most ${received || 100}, or use cursor pagination.`,
	}),
	overfullPage: ({ received }) => ({
		message: 'The service gave more records than it says the page holds',
		description: `It gave ${received ?? 'too many'}. Going on would give some of them twice or leave others out, so nothing was guessed. Use cursor pagination, or report it to the service.`,
	}),
	changedList: () => ({
		message: 'The list changed while its pages were read',
		description:
			'The service has fewer records than a page ago, or divides them differently, so going on could leave records out. Run this again, or use cursor pagination, which such changes do not disturb.',
	}),
	stuckPage: () => ({
		message: 'The service repeats itself: its pages do not advance',
		description:
			'Following it would never end, so the list was stopped here. Use cursor pagination, or report it to the service.',
	}),
	unnumbered: () => ({
		message: 'The service does not tell which records are the newest',
		description:
			'Newest First reads numbered pages from the end of the list, in the order of the date, and here the service gives no such pages. Set the option Order to Oldest First.',
		cause: { cause: 'configuration-invalid' },
	}),
} satisfies Record<string, ListWriter>;
