import type { FailureKind } from '../../../nodes/client/failures.ts';

/** Every kind of failure; the compiler complains when one is missing. */
export const FAILURE_KINDS = Object.keys({
	status: true,
	redirected: true,
	notSent: true,
	insecure: true,
	connectionLost: true,
	timeout: true,
	invalidBody: true,
	unsuccessful: true,
	missingItems: true,
	missingPagination: true,
	incompleteList: true,
	notAscending: true,
	tooManyUndated: true,
	endlessSearch: true,
	repeatedPage: true,
	undatedList: true,
	emptyPages: true,
	incompletePage: true,
	changedList: true,
	wrongPage: true,
	blocked: true,
	noTurn: true,
	unnumbered: true,
	cancelled: true,
} satisfies Record<FailureKind, true>) as FailureKind[];
