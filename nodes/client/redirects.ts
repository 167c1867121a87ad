import type { ApiRequest, RawResponse } from './api';
import { ServiceFailure } from './failures';

/** More redirects than this in a row are taken for a loop. */
const MOST_REDIRECTS = 5;

/** True for an answer that leads to another address. */
export function isRedirect({ statusCode }: RawResponse): boolean {
	return statusCode >= 300 && statusCode < 400;
}

/**
 * Where to send a request that was redirected. A GET is followed within its own origin (scheme, host and port). To
 * another origin nothing is followed: the key would go there, or stay behind and look like a wrong one. A POST is not
 * followed at all: it would lose its body, or be sent twice.
 *
 * @param from the address that was asked
 * @param redirects how many came before this one
 * @throws ServiceFailure `redirected` for a redirect that is not followed, with the other origin if it is that
 */
export function targetOfRedirect(
	{ method }: Pick<ApiRequest, 'method'>,
	{ statusCode, headers }: RawResponse,
	from: string,
	redirects: number,
): string {
	const to = targetOf(headers.location, from);
	const isSameOrigin = to?.origin === new URL(from).origin;
	if (to === undefined || !isSameOrigin || method !== 'GET' || redirects >= MOST_REDIRECTS) {
		const redirectedTo = isSameOrigin ? undefined : to?.origin;
		throw new ServiceFailure('redirected', { statusCode, redirectedTo });
	}
	return to.href;
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
