import type { ApiRequest, RawResponse } from './api';
import { ServiceFailure } from './failures';

/** More redirects than this in a row are taken for a loop. */
const MOST_REDIRECTS = 5;

/** Sends one request to an absolute address, without following a redirect. */
export type SendTo = (address: string) => Promise<RawResponse>;

/**
 * Sends a request and follows the redirects of a GET within its own origin (scheme, host and port). To another
 * origin nothing is followed: the key would go there, or stay behind and look like a wrong one. A POST is not
 * followed at all: it would lose its body, or be sent twice.
 *
 * @throws ServiceFailure `redirected` for a redirect that is not followed, with the other origin if it is that
 */
export async function sendFollowing(
	{ method }: Pick<ApiRequest, 'method'>,
	address: string,
	send: SendTo,
): Promise<RawResponse> {
	let from = address;
	for (let redirects = 0; ; redirects++) {
		const response = await send(from);
		const { statusCode, headers } = response;
		if (statusCode < 300 || statusCode >= 400) return response;
		const to = targetOf(headers.location, from);
		const isSameOrigin = to?.origin === new URL(address).origin;
		if (to === undefined || !isSameOrigin || method !== 'GET' || redirects >= MOST_REDIRECTS) {
			const redirectedTo = isSameOrigin ? undefined : to?.origin;
			throw new ServiceFailure('redirected', { statusCode, redirectedTo });
		}
		from = to.href;
	}
}

/** Where a redirect leads, without user name, password and fragment; undefined when that is no web address. */
function targetOf(location: unknown, from: string): URL | undefined {
	if (typeof location !== 'string' || !URL.canParse(location, from)) return undefined;
	const to = new URL(location, from);
	if (!/^https?:$/.test(to.protocol)) return undefined;
	to.username = '';
	to.password = '';
	to.hash = '';
	return to;
}
