import { expect } from 'vitest';
import { sandboxCredentials } from '../../../sandbox/server.mts';
import type { Fault } from '../../../sandbox/types.mts';
import { ESCAPES, leakOf } from '../../../secret-forms.mts';
import type { NodeRun } from '../../harness/support.mts';

/** Returns the spellings in which a service could repeat a secret, such as URL-encoded or base64. */
const formsOf = (secret: string): string[] => [
	secret,
	encodeURIComponent(secret),
	JSON.stringify(secret).slice(1, -1),
	Buffer.from(secret).toString('base64').replace(/=+$/, ''),
	ESCAPES['in HTML by numbers']?.(secret) ?? '',
];

/** Simulated response of the service. */
type Answer = Omit<Fault, 'path'>;

/** Returns named responses of every kind. They repeat the secrets in every field that the node could read. */
export function answersWith(secrets: string[]): Array<[string, Answer]> {
	const [key] = secrets;
	const all = secrets
		.flatMap((secret) => formsOf(secret).map((form) => `Bearer ${form}`))
		.join(' ');
	const words = {
		message: all,
		detail: all,
		title: [all],
		errors: [{ field: key, message: all }],
		[key]: all,
	};
	const plain = { ...words, ctx_id: all };
	const envelope = {
		success: false,
		error: { code: key, ...words },
		data: { items: all },
		meta: { ctx_id: all, pagination: { next_cursor: all, page: all } },
	};
	const page = (pagination: object): object => ({
		success: true,
		data: { items: [] },
		meta: { ctx_id: `req ${key}`, pagination: { page: 1, page_size: 5, total: 20, ...pagination } },
	});
	const html = `<html><title>${all}</title><body>${all}</body></html>`;
	// The node truncates this long title in the middle of the key. In `short`, the service has truncated the key.
	const cut = `<html><title>${'x'.repeat(380)} ${key}</title>`;
	const short = `Unknown key ${key.slice(0, -4)}…`;
	const aDay = { 'retry-after': '86400' };
	const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503];
	return [
		...statuses.map((status): [string, Answer] => [String(status), { status, body: envelope }]),
		['JSON without the usual members', { status: 400, body: plain }],
		['plain text', { status: 400, body: all, contentType: 'text/plain' }],
		['429 with a wait of a day', { status: 429, body: envelope, headers: aDay }],
		['success: false', { status: 200, body: envelope }],
		['a web page', { status: 200, body: html, contentType: 'text/html' }],
		['a web page with a long title', { status: 502, body: cut, contentType: 'text/html' }],
		['a truncated key', { status: 401, body: { message: short } }],
		['truncated JSON', { status: 200, body: `{"message": "${all}` }],
		['no items', { status: 200, body: { ...envelope, success: true } }],
		['no pagination', { status: 200, body: { ...page({}), meta: { ctx_id: key } } }],
		['a cursor that is not text', { status: 200, body: page({ next_cursor: { [key]: key } }) }],
		['a repeated cursor', { status: 200, body: page({ next_cursor: `after ${all}` }) }],
		['a redirect', { status: 302, headers: { location: `https://${key}.example/${key}` } }],
		['a redirect to an email address', { status: 307, headers: { location: `mailto:${key}` } }],
	];
}

/** Returns the texts of a run that the package itself wrote: errors, error items, hints and logs. */
export function written({ error, outputs, hints, logs }: NodeRun): unknown {
	const errorItems = outputs.flat().filter(({ json }) => 'error' in json && 'details' in json);
	return { error, ...ownTexts(error), errorItems, hints, logs };
}

/** Returns the texts of an error as a plain object, because JSON.stringify can omit these fields of an error. */
export function ownTexts(error: unknown): object {
	const { message, description, stack, cause } = Object(error) as Record<string, unknown>;
	return { message, description, stack, cause: cause === undefined ? '' : String(cause) };
}

/** Fails the test if `shown` contains one of the secrets in any spelling. */
export function expectClean(shown: unknown, secrets: string[] = [sandboxCredentials.v2Full]): void {
	const text = JSON.stringify(shown).toLowerCase();
	for (const form of secrets.flatMap(formsOf)) {
		expect(text.includes(form.toLowerCase()), 'a credential value was shown').toBe(false);
	}
	// Do not search for parts of the workspace code, because it consists of ordinary words.
	for (const secret of secrets.filter((one) => one !== sandboxCredentials.workspaceCode)) {
		expect(leakOf(text, secret), 'a part of a credential value was shown').toBeUndefined();
	}
}
