import { VERSION_PATHS, type ApiVersion } from '../client/credential';
import type { FailureFacts } from '../client/failures';

/** What happened; what to do, the likeliest first; and what explains it, lines between line breaks. */
export type Text = readonly [message: string, fixes: string | readonly string[], why?: string];

/** What an explanation can say about the operation and the credential. */
export interface FailureContext {
	apiVersion?: ApiVersion;
	/** What the operation needs of the key, in words. */
	permission?: string;
	/** For example "Company: Prospect". */
	operation?: string;
	objectType?: string;
	/** The operation is for this type alone. */
	isFixedType?: boolean;
	/** Where the user has entered what a call sends; empty or undefined for all else. */
	values?: string;
	/** Others of the run were answered, so the address is right. */
	othersAnswered?: boolean;
	/** False where n8n throws away what was read before a failure. */
	keepsOutput?: boolean;
	/** Changes are followed: their order and dates are not the user's to choose. */
	isFollowed?: boolean;
	/** False where none of the user's bounds on waits was reached, but the time of a poll or of a list in the panel. */
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
