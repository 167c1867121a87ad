import { describe, expect, it } from 'vitest';

import { ServiceFailure } from '../../../nodes/client/failures.ts';
import { BASE_URL, bench, GET, KEY } from './transport-bench.mts';

const FROM = new URL(`${BASE_URL}${GET.path}`);

/** Sends one request to a service that redirects it; gives the failure, and how often something was sent. */
async function redirect(method: 'GET' | 'POST', statusCode: number, location: unknown) {
	const { transport, calls } = bench(() => ({ statusCode, headers: { location }, body: '' }));
	const end: unknown = await transport({ ...GET, method }, 1_000).catch((error: unknown) => error);
	if (!(end instanceof ServiceFailure)) throw new Error(`not a failure: ${String(end)}`);
	return { end: end.withoutSecrets([KEY]), sent: calls.length };
}

describe('a redirect', () => {
	it.each<[unknown, { movedTo?: string; redirectedTo?: string }]>([
		[`http://${FROM.host}${FROM.pathname}?limit=5`, { movedTo: 'http://api.example.com/data' }],
		['https://new.example.com/v2/public/items', { movedTo: 'https://new.example.com' }],
		[`//new.example.com:8443${FROM.pathname}`, { movedTo: 'https://new.example.com:8443/data' }],
		['/api/v2/public/items', { movedTo: 'https://api.example.com/api' }],
		[`https://me:word@x.example${FROM.pathname}#a`, { movedTo: 'https://x.example/data' }],
		['/elsewhere?token=1', { redirectedTo: 'https://api.example.com/elsewhere' }],
		['https://login.example.com/?next=1', { redirectedTo: 'https://login.example.com/' }],
		['items/', { redirectedTo: `${BASE_URL}/v2/public/items/` }],
		[FROM.href, { redirectedTo: FROM.href }],
		[`https://x.example/${KEY}`, { redirectedTo: 'https://x.example/[hidden]' }],
		[`https://x.example/${KEY}${GET.path}`, { movedTo: 'https://x.example/[hidden]' }],
		...[undefined, '', 'https://', 'mailto:someone@example.com', ['https://new.example.com']].map(
			(location): [unknown, object] => [
				location,
				location === '' ? { redirectedTo: FROM.href } : {},
			],
		),
	])('to %j is followed by nothing, and it is said where it leads', async (location, target) => {
		for (const statusCode of [300, 301, 302, 303, 304, 307, 308, 399]) {
			for (const method of ['GET', 'POST'] as const) {
				const { end, sent } = await redirect(method, statusCode, location);
				expect([end.kind, end.facts]).toEqual(['redirected', { statusCode, ...target }]);
				expect(sent).toBe(1);
			}
		}
	});
});
