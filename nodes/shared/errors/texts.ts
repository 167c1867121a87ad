import { VERSION_PATHS, type ApiVersion } from '../client/credential';
import type { FailureFacts } from '../client/failures';

/** Texts of a failure: the message, advice with the likeliest fix first, and an explanation of the cause. */
export type Text = readonly [message: string, fixes: string | readonly string[], why?: string];

/** Facts about the operation and the credential for use in error texts. */
export interface FailureContext {
	apiVersion?: ApiVersion;
	/** Permission that the operation needs, in words such as "an API key with Regular access". */
	permission?: string;
	/** Name of the operation, for example "Company: Prospect". */
	operation?: string;
	objectType?: string;
	/** True if the operation works for this object type only. */
	isFixedType?: boolean;
	/** Names of the parameters with the data of a call, for use in a sentence. Empty or undefined for a list. */
	values?: string;
	/** True if the service has responded to other requests of the run, which proves that the Base URL is right. */
	othersAnswered?: boolean;
	/** False if n8n discards the records that were read before a failure. */
	keepsOutput?: boolean;
	/** True for the trigger and Sync, which follow changes and have no options for order and dates. */
	isFollowed?: boolean;
	/** False if options such as Timeout cannot give the request more time, as in most polls and in dropdown lists. */
	hasRequestOptions?: boolean;
}

/** Writes the texts for one kind of failure, or for one HTTP status. */
export type Writer = (facts: FailureFacts, context: FailureContext) => Text;

export const RUN_AGAIN = 'Run this again in a while.';
export const ASK_EVERY_TIME = 'If it happens every time, ask the support of the service.';
export const IF_PROXY = 'If n8n uses a proxy, check HTTP_PROXY and HTTPS_PROXY on the n8n server.';
export const BASE_URL = `the 'Base URL' in the credential: it is everything before ${VERSION_PATHS}`;

const FILTER_LATER =
	"If the service does not accept a filter, remove it, and put n8n's Filter after this node.";

/** Returns the advice to check the request's parameters, against the service's error message if there is one. */
export function checkInput({ words, page }: FailureFacts, context: FailureContext): string {
	const { values, objectType, isFixedType } = context;
	const type = objectType && !isFixedType ? "'Object Type', " : '';
	const ofList = `${type}'Filters' and 'Page Size'`;
	const isOfList = !values && page !== undefined;
	const where = values || (isOfList ? ofList : 'the values of this node');
	const filter = isOfList ? ` ${FILTER_LATER}` : '';
	return `Check ${where}${words ? ' against the message of the service' : ''}.${filter}`;
}
