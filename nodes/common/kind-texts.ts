import type { ApiVersion } from '../client/api';
import type { FailureFacts, FailureKind } from '../client/failures';
import { NOT_TLS } from './transport';
import { formatNumber, formatTime } from './words';

export type Text = readonly [message: string, fix: string];

/** What an explanation can say about the operation and the credential. */
export interface FailureContext {
	apiVersion?: ApiVersion;
	/** What the operation needs of the key, in words. */
	permission?: string;
	/** For example "Company: Prospect". */
	operation?: string;
	/** Only a v2 key can do it, so API Version is never what is wrong. */
	needsV2?: boolean;
	objectType?: string;
	/** A call sends the user's data, or is about one record that the user names. */
	call?: 'data' | 'record';
	/** False where n8n throws away what was read before a failure. */
	keepsOutput?: boolean;
	/** False where the user has no options for retries, timeout and page size. */
	hasRequestOptions?: boolean;
}

/** Writes the texts for one kind of failure, or for one HTTP status. */
export type Writer = (facts: FailureFacts, context: FailureContext) => Text;

export const IF_PROXY =
	'If n8n goes through a proxy, check HTTP_PROXY and HTTPS_PROXY on the n8n server.';

export const against = ({ words }: FailureFacts): string =>
	words ? ' against what the service says below' : '';

const ASK = 'Report it to the service.';

/** The texts of each failure that is not told by its HTTP status. */
export const KINDS: Record<Exclude<FailureKind, 'status'>, Writer> = {
	redirected: ({ statusCode = 0, movedTo, redirectedTo }) => {
		if (movedTo) {
			return [
				`The service has moved to ${movedTo}`,
				"If you trust that address, enter it as the 'Base URL' in the credential.\nNothing was sent there, since the key would go with it.",
			];
		}
		const where = `\nNo redirect is followed, since filters and data would get lost on the way.\nIt redirects to ${redirectedTo}`;
		return [
			`The service ${redirectedTo ? 'answers by another path' : 'sent no data'} (HTTP ${statusCode})`,
			`Check the 'Base URL' in the credential: it is everything before /v1 or /v2. If it is right, ask the operator of the service.${redirectedTo ? where : ''}`,
		];
	},
	notSent: (facts) => {
		const [message, fix] = unconnected(facts);
		return [message, `${fix}\nNothing was sent${technically(facts)}.`];
	},
	insecure: (facts) => {
		const { host = 'the service', code = '' } = facts;
		const fix = Object.entries(INSECURE).find(([part]) => new RegExp(part).test(code))?.[1];
		return [
			`No secure connection to ${host} could be made`,
			`${fix}\nNothing was sent${technically(facts)}.`,
		];
	},
	connectionLost: (facts) => [
		`The connection to ${facts.host ?? 'the service'} broke off before the response was complete${technically(facts)}`,
		`Run this again in a while. If it happens every time, check whether the 'Base URL' in the credential has to start with https:// in place of http://. ${IF_PROXY}`,
	],
	timeout: ({ host = 'The service', timeoutMs = 0, page }, { hasRequestOptions = true }) => {
		const less = page === undefined ? '' : ", or ask for less at once (a smaller 'Page Size')";
		const fix = hasRequestOptions
			? "Raise 'Timeout' in the options"
			: 'Check that the service is not overloaded';
		return [`${host} did not answer within ${formatTime(timeoutMs)}`, `${fix}${less}. ${IF_PROXY}`];
	},
	invalidBody: () => [
		'The service answered with something that is not JSON',
		"Check the 'Base URL' in the credential: a website or a proxy may be answering in place of the service.",
	],
	unsuccessful: (facts) => [
		'The service reports that it did not process the request',
		`Check the values of this node${against(facts)}.`,
	],
	blocked: ({ words = '' }) => [
		'n8n did not send the request',
		`${
			words.includes('restricted IP address')
				? "Ask the administrator of this n8n to allow the address of the 'Base URL': N8N_SSRF_ALLOWED_HOSTNAMES for a name, N8N_SSRF_ALLOWED_IP_RANGES for an IP address."
				: 'Check the settings of the credential and of this n8n.'
		}${words && `\nn8n says: ${words}`}`,
	],
	noTurn: () => [
		"'Max Requests per Minute' left this poll no time for another request",
		"Raise 'Max Requests per Minute' to get more with each poll. The next poll continues.",
	],
	cancelled: () => [
		'The execution was cancelled',
		'Run the workflow again to start over. No further request was sent.',
	],
	missingItems: () => [
		'The API response holds no list of records',
		`Check the 'Base URL' in the credential, or report it to the service.\nA list must have "data.items" with one object per record.`,
	],
	missingPagination: () => [
		'The API response does not say how the list continues',
		`${ASK}\nA list must have a usable "meta.pagination". Without it records could be missing, so the list was stopped here.`,
	],
	repeatedPage: () => [
		'The service repeats itself: its next page is one that was already read',
		`${ASK}\nFollowing it would never end, so the list was stopped here.`,
	],
	emptyPages: () => [
		'The service returned nothing but empty pages',
		`${ASK}\nIt always says that more follow, so the list was stopped here.`,
	],
	incompleteList: ({ recordsRead = 0, total = 0, received = 0, limit = 100 }) => {
		// The first page shows by how many records the service cuts.
		const isFirst = received > 0 && recordsRead === received;
		const pageSize = isFirst ? received - 1 : Math.floor(limit / 2);
		const less = `set the option 'Page Size' to ${pageSize}, since the service may return fewer records than it was asked for`;
		return [
			`The list ended early: ${formatNumber(recordsRead)} of ${formatNumber(total)} records came`,
			`Run this again. If it ends early again, ${pageSize > 0 ? less : 'report it to the service'}. If its total is only an estimate, turn on the option 'Ignore Total'.`,
		];
	},
	undatedList: ({ dateField = 'updated_at' }) => [
		`No record has a date in "${dateField}" that can be read`,
		"Choose another date under 'Sort', or remove 'Changed After' and 'Changed Before'.",
	],
	notAscending: () => [
		'The list does not come in the order of its dates',
		"Use Get Many or Query without Newest First, 'Changed After' and 'Changed Before', which reads the list as it comes.\nChanges and these options need the records in ascending order of their date, and here dates go down from one record to the next. Report it to the service.",
	],
	tooManyUndated: ({ dateField = 'updated_at' }) => [
		`More than 2,000 records have no date and time in "${dateField}"`,
		`${
			dateField === 'updated_at'
				? `Choose Record Created if the records have a "created_at". Otherwise leave`
				: 'Leave'
		} those records out with the option 'Additional Parameters', or ask the operator of the service to fill in date and time.\nChanges are found by this date. Records without it, or with a day or a minute only, cannot be followed in such numbers.`,
	],
	endlessSearch: () => [
		'The trigger cannot continue where it stopped',
		"Poll more often, so that the cursor is still accepted, or set a larger 'Page Size', so that the list is read in one poll. For a list of this size, Sync in a scheduled workflow has no such limit.\nThe service refused the saved cursor several times, and reading the list from its beginning takes longer than one poll. Nothing is lost so far.",
	],
	incompletePage: ({ received }) => [
		'The service returned fewer records than it says the page holds',
		`Set 'Page Size' to at most ${received || 100}, or the option 'Pagination' to Cursor. If the total of this service is only an estimate, turn on the option 'Ignore Total'.\nTo continue would leave records out, so the list was stopped here.`,
	],
	wrongPage: () => [
		'The service contradicts itself: a page does not fit its own numbers, or the page before it',
		"Set the option 'Pagination' to Cursor, or report it to the service. If the total of this service is only an estimate, turn on the option 'Ignore Total'.\nTo continue could leave records out, return them twice or never end, so the list was stopped here.",
	],
	changedList: () => [
		'The list changed while its pages were read',
		"Run this again, or set a larger 'Page Size': fewer requests leave less time for changes. At most services, 'Pagination' Cursor with 'Order' Oldest First is not disturbed by them.\nRecords have moved to other pages meanwhile, so to continue could leave some out.",
	],
	unnumbered: () => [
		'The service does not tell which records are the newest',
		"Set the option 'Order' to Oldest First.\nNewest First reads numbered pages from the end of the list, in the order of the date, and here the service returns no such pages.",
	],
};

function unconnected({ host = 'the service', code = '', isOfProxy }: FailureFacts): Text {
	if (isOfProxy) {
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
		isRefused
			? `Check the port of the 'Base URL' in the credential, and that the service is running. ${IF_PROXY}`
			: `Check the 'Base URL' in the credential, and that n8n can reach this address. ${IF_PROXY}`,
	];
}

/** What to do where there is no secure connection, by a part of what the network calls it. */
const INSECURE = {
	EXPIRED: 'Ask the operator of the service to renew its certificate, which has expired.',
	ALTNAME:
		"Check the host name of the 'Base URL' in the credential: the certificate of the service is for another name.",
	'SELF_SIGNED|UNABLE_TO|LEAF':
		'Ask the administrator of this n8n to trust the certificate of the service, for example with NODE_EXTRA_CA_CERTS.',
	// Only this one says that the other side speaks no TLS: for any other, http:// would give the key away.
	[NOT_TLS]:
		"Check HTTP_PROXY and HTTPS_PROXY on the n8n server if n8n goes through a proxy: its own address may have to start with http://. Only without a proxy, check whether the 'Base URL' in the credential has to start with http:// in place of https://.",
	'': 'Ask the operator of the service to check its certificate and its TLS settings.',
};

const technically = ({ code }: FailureFacts): string => (code ? ` (${code})` : '');
