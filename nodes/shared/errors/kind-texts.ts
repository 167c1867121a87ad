import { NOT_TLS, type FailureFacts, type FailureKind } from '../client/failures';
import { BASE_URL, checkInput, IF_PROXY, RUN_AGAIN, type Text, type Writer } from './texts';
import { counted, formatNumber, formatTime } from './words';

const REPORT = 'Report this to the support of the service.';
const BY_CURSOR = "Set 'Page Number' to 0.";
const ESTIMATE = "If the total is only an estimate, turn on 'Ignore Total'.";

const notSent: Writer = (facts) => {
	const [message, fixes] = unconnected(facts);
	return [message, fixes, nothingSent(facts)];
};

const insecure: Writer = (facts) => {
	const { host = 'the service', code = '' } = facts;
	const [, fixes = []] =
		Object.entries(INSECURE).find(([part]) => new RegExp(part).test(code)) ?? [];
	return [`No secure connection to ${host} could be made`, fixes, nothingSent(facts)];
};

const nothingSent = ({ code }: FailureFacts): string =>
	`Nothing was sent${code ? ` (${code})` : ''}.`;

function unconnected({ host = 'the service', code = '', isFromProxy }: FailureFacts): Text {
	if (isFromProxy) {
		const fix = 'Check HTTP_PROXY and HTTPS_PROXY on the n8n server.';
		return ['The proxy that n8n uses could not connect', fix];
	}
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		const name = host.replace(/:\d+$/, '');
		return [`Host "${name}" not found`, "Check the spelling of the 'Base URL' in the credential."];
	}
	const isRefused = code === 'ECONNREFUSED';
	return [
		isRefused ? `Connection refused by ${host}` : `No connection to ${host} could be made`,
		[
			`Check the ${isRefused ? 'port of the ' : ''}'Base URL' in the credential.`,
			isRefused ? 'Check that the service is running.' : 'Check that n8n can reach this address.',
			IF_PROXY,
		],
	];
}

/** Advice for failed TLS connections. Each key is a pattern for the error code, and the first match counts. */
const INSECURE = {
	EXPIRED: 'Ask the support of the service to renew its certificate, which has expired.',
	ALTNAME:
		"Check the host name of the 'Base URL' in the credential: the certificate of the service is for another name.",
	'SELF_SIGNED|UNABLE_TO|LEAF':
		'Ask the administrator of this n8n to trust the certificate of the service, for example with NODE_EXTRA_CA_CERTS.',
	// Advise http:// only for this code, which proves that the server does not use TLS. For other codes, the advice
	// would expose the key without need.
	[NOT_TLS]: [
		'Check HTTP_PROXY and HTTPS_PROXY on the n8n server if n8n uses a proxy: the address of the proxy may have to start with http://.',
		"Without a proxy, check whether the 'Base URL' in the credential has to start with http:// instead of https://.",
	],
	'': 'Ask the support of the service to check its certificate and its TLS settings.',
};

const CREATED = "Set 'Sort Order' to Created: with it, a change does not move a record.";
const CHANGED_BEFORE = "Set 'Changed Before' to a date.";

/** Texts for each kind of failure, except for responses with an HTTP error status (see status-texts.ts). */
export const KIND_TEXTS: Record<Exclude<FailureKind, 'status'>, Writer> = {
	redirected: ({ statusCode = 0, movedTo, redirectedTo }) => {
		if (movedTo) {
			return [
				`The service has moved to ${movedTo}`,
				"If you trust that address, enter it as the 'Base URL' in the credential.",
				'Nothing was sent to that address, because the key would be sent with it.',
			];
		}
		return [
			`The service ${redirectedTo ? 'redirects to another path' : 'sent no data'} (HTTP ${statusCode})`,
			[
				`Check ${BASE_URL}.`,
				`Ask the support of the service why it ${redirectedTo ? 'redirects' : 'sends no data'}.`,
			],
			redirectedTo &&
				`The node follows no redirect, because filters and data could be lost on the way.\nThe service redirects to ${redirectedTo}`,
		];
	},
	notSent,
	insecure,
	connectionLost: (facts) => [
		`The connection to ${facts.host ?? 'the service'} broke off before the response was complete${facts.code ? ` (${facts.code})` : ''}`,
		[
			RUN_AGAIN,
			"If it happens every time, check whether the 'Base URL' in the credential has to start with https:// instead of http://.",
			IF_PROXY,
		],
	],
	timeout: (facts, { hasRequestOptions = true }) => {
		const { host = 'The service', timeoutMs = 0 } = facts;
		return [
			`${host} did not answer within ${formatTime(timeoutMs)}`,
			[
				hasRequestOptions
					? "Raise 'Timeout' in the options."
					: 'Check that the service is not overloaded.',
				IF_PROXY,
			],
		];
	},
	invalidBody: () => [
		'The service answered with something that is not JSON',
		"Check the 'Base URL' in the credential: a website or a proxy may be answering in place of the service.",
	],
	notUtf8: () => [
		'The response is not in UTF-8, so characters would be lost',
		'Ask the support of the service to send its JSON in UTF-8.',
	],
	tooLong: ({ page }) => [
		'The response is too long: n8n can read about half a gigabyte of text at once',
		page === undefined ? 'Send a request for less data.' : [],
	],
	unsuccessful: (facts, context) => [
		'The service reports that it did not process the request',
		checkInput(facts, context),
	],
	blocked: ({ words = '' }) => [
		'n8n did not send the request',
		words.includes('restricted IP address')
			? "Ask the administrator of this n8n to allow the address of the 'Base URL': N8N_SSRF_ALLOWED_HOSTNAMES for a name, N8N_SSRF_ALLOWED_IP_RANGES for an IP address."
			: 'Check the settings of the credential and of this n8n.',
		words && `n8n says: ${words}`,
	],
	quotaExceeded: () => [
		"'Requests per Minute' allows no further request in this poll",
		"Raise 'Requests per Minute' to get more records per poll.",
		'The next poll continues.',
	],
	cancelled: () => [
		'The execution was cancelled',
		'Run the workflow again to start over.',
		'No further request was sent.',
	],
	missingItems: (facts, context) => [
		'The API response contains no list of records',
		[
			...(facts.words ? [checkInput(facts, context)] : []),
			"Check the 'Base URL' in the credential.",
			REPORT,
		],
		'A list must have "data.items" with one object per record.',
	],
	missingPagination: () => [
		'The API response does not say how the list continues',
		REPORT,
		'A list must have a usable "meta.pagination". Without it, records could be missing, so the node stopped here.',
	],
	repeatedPage: () => [
		'The list repeats itself: its next page was already read',
		REPORT,
		'The list would never end, so the node stopped here.',
	],
	emptyPages: () => [
		'The service returned only empty pages',
		REPORT,
		'Each page says that more pages follow, so the node stopped here.',
	],
	endlessList: ({ recordsRead = 0, total = 0, isByNumber }, { isFollowed }) => [
		`The list returned ${counted(recordsRead, 'record')}, although its total is ${formatNumber(total)}`,
		[
			...(isFollowed || isByNumber ? [] : [CREATED, CHANGED_BEFORE]),
			"Set a larger 'Page Size': fewer requests take less time.",
			ESTIMATE,
		],
		'The list repeats itself, or grows faster than the node reads it.',
	],
	incompleteList: ({ recordsRead = 0, total = 0, received = 0, pageSize: limit = 100 }) => {
		// If the list ended on its first page, the service may cap pages at this size, so suggest a smaller one.
		const isFirst = received > 0 && recordsRead === received;
		const pageSize = isFirst ? received - 1 : Math.floor(limit / 2);
		const less = `Set the option 'Page Size' to ${pageSize}, and run this again: the service may return fewer records per page than requested.`;
		return [
			`The list ended early, after ${formatNumber(recordsRead)} of ${counted(total, 'record')}`,
			[
				pageSize > 0 ? less : RUN_AGAIN,
				ESTIMATE,
				'Otherwise, ask the support of the service why records are missing.',
			],
		];
	},
	undatedList: ({ dateField = 'updated_at' }) => [
		`No record has a readable date in "${dateField}"`,
		["Choose another date under 'Sort Order'.", "Remove 'Changed After' and 'Changed Before'."],
	],
	notAscending: () => [
		'The list is not sorted by date',
		[
			"Use Get Many or Query without Newest First, 'Changed After' and 'Changed Before': these read the list in any order.",
			REPORT,
		],
		'Changes and these options need records in ascending order of their dates, but here a record has an earlier date than the record before it.',
	],
	tooManyUndated: ({ dateField = 'updated_at', isAhead }) => [
		isAhead
			? `More than 2,000 records have a date in "${dateField}" that is later than the clock of n8n`
			: `More than 2,000 records have no date and time in "${dateField}"`,
		[
			...(isAhead ? ['Check the date and time of the n8n server.'] : []),
			...(dateField === 'updated_at'
				? ['Choose Record Created if the records have a "created_at".']
				: []),
			"Leave these records out with the option 'Filters'.",
			`Ask the support of the service to ${isAhead ? 'correct these dates' : 'fill in the date and time'}.`,
		],
		`The node finds changes by this date. It cannot follow so many records ${isAhead ? 'with a date more than a day ahead' : 'without a date, or with only a day or a minute'}.`,
	],
	endlessSearch: () => [
		'The trigger cannot continue where it stopped',
		[
			'Poll more often, so that the cursor is still accepted.',
			"Set a larger 'Page Size', so that the list is read in one poll.",
			'For a list of this size, use Sync in a scheduled workflow, which has no time limit.',
		],
		'The service refused the saved cursor several times, and reading the list from its beginning takes longer than one poll. Nothing is lost so far.',
	],
	wrongPage: ({ received }) => [
		'The service contradicts itself: a page does not match its own numbers, or the page before it',
		[BY_CURSOR, `Set 'Page Size' to at most ${received || 100}.`, ESTIMATE, REPORT],
		'Reading on could skip records, return them twice or never end, so the node stopped here.',
	],
	changedList: () => [
		'The list changed while its pages were read',
		[
			RUN_AGAIN,
			"Set a larger 'Page Size': fewer requests leave less time for changes.",
			"Set 'Page Number' to 0 and 'Sort Order' to Oldest First. With most services, changes do not disturb this order.",
		],
		'Records moved to other pages in the meantime, so reading on could skip records.',
	],
	unnumbered: () => [
		'The service does not show which records are the newest',
		"Set the option 'Sort Order' to Oldest First.",
		'Newest First reads numbered pages from the end of a list that is sorted by date. Here, the service returns no numbered pages, or lists records without a date last.',
	],
};
