import { VERSION_PATHS, type ApiVersion } from '../client/credential';
import type { FailureFacts } from '../client/failures';

/** Message, advice with the likeliest first, and an explanation with line breaks. */
export type Text = readonly [message: string, fixes: string | readonly string[], why?: string];

/** Facts on the operation and the credential that an explanation may use. */
export interface FailureContext {
	apiVersion?: ApiVersion;
	/** Permission that the operation needs, in words. */
	permission?: string;
	/** Name of the operation, for example "Company: Prospect". */
	operation?: string;
	objectType?: string;
	/** Whether the operation works for this object type only. */
	isFixedType?: boolean;
	/** Place where the user entered the data of a call, in words. Empty or undefined for a list. */
	values?: string;
	/** Whether the service answered other requests of the run, so that the address is right. */
	othersAnswered?: boolean;
	/** False if n8n discards the records that were read before a failure. */
	keepsOutput?: boolean;
	/** Whether changes are followed. Then the user cannot choose their order and dates. */
	isFollowed?: boolean;
	/** False in a poll, and in a list of the panel: their time is limited, and not by the user's options. */
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

/** Advises to check the parameters that a request was made from, against the service's message if it has one. */
export function checkInput({ words, page }: FailureFacts, context: FailureContext): string {
	const { values, objectType, isFixedType } = context;
	const type = objectType && !isFixedType ? "'Object Type', " : '';
	const ofList = `${type}'Filters' and 'Page Size'`;
	const isOfList = !values && page !== undefined;
	const where = values || (isOfList ? ofList : 'the values of this node');
	const filter = isOfList ? ` ${FILTER_LATER}` : '';
	return `Check ${where}${words ? ' against the message of the service' : ''}.${filter}`;
}
