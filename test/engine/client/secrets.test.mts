/**
 * The service repeats the key in every field of every kind of answer, and it shows nowhere that the package writes:
 * not in errors, error items, hints and logs. Records and results are data, put out as the service sends them: a
 * service that hands out the key in there is not corrected, so what succeeded is not looked at.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sandboxCredentials } from '../../sandbox/server.mts';
import type { Fault } from '../../sandbox/types.mts';
import { sampleCases } from '../../samples.mts';
import { runNode, useSandbox, type NodeRun } from '../harness/support.mts';
import { companyTrigger, messagesOf } from '../harness/trigger-poller.mts';

const bench = useSandbox({ companies: 20, orders: 20, items: 20, deals: 20 });

const { v2Full, v1AllScopes, workspaceCode } = sandboxCredentials;

/** How a service may write a secret. */
const formsOf = (secret: string): string[] => [
	secret,
	encodeURIComponent(secret),
	JSON.stringify(secret).slice(1, -1),
	Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

type Answer = Omit<Fault, 'path'>;

/** Every kind of answer, with the secrets in every field that is read or could be. */
function answersWith(secrets: string[]): Array<[string, Answer]> {
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
	const aDay = { 'retry-after': '86400' };
	const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503];
	return [
		...statuses.flatMap(
			(status): Array<[string, Answer]> => [
				[`${status} in an envelope`, { status, body: envelope }],
				[`${status} in plain JSON`, { status, body: plain }],
				[`${status} as text`, { status, body: all, contentType: 'text/plain' }],
			],
		),
		['429 for a day', { status: 429, body: envelope, headers: aDay }],
		['success: false', { status: 200, body: envelope }],
		['a web page', { status: 200, body: html, contentType: 'text/html' }],
		['half of JSON', { status: 200, body: `{"message": "${all}` }],
		['no items', { status: 200, body: { ...envelope, success: true } }],
		['no pagination', { status: 200, body: { ...page({}), meta: { ctx_id: key } } }],
		['a cursor that is no text', { status: 200, body: page({ next_cursor: { [key]: key } }) }],
		['a cursor that repeats', { status: 200, body: page({ next_cursor: `after ${all}` }) }],
		['a redirect', { status: 302, headers: { location: `https://${key}.example/${key}` } }],
		['a redirect nowhere', { status: 307, headers: { location: `mailto:${key}` } }],
	];
}

const answers = answersWith([v2Full]);

/** What the package itself wrote in a run. */
function written({ error, outputs, hints, logs }: NodeRun): unknown {
	const errorItems = outputs.flat().filter(({ json }) => 'error' in json && 'details' in json);
	return { error, ...ownTexts(error), errorItems, hints, logs };
}

/** How often the node failed. */
function failuresOf({ error, outputs }: NodeRun): number {
	return (
		(error === undefined ? 0 : 1) + outputs.flat().filter(({ json }) => 'error' in json).length
	);
}

/** What JSON leaves out of an error. */
function ownTexts(error: unknown): object {
	const { message, description, stack, cause } = Object(error) as Record<string, unknown>;
	return { message, description, stack, cause: cause === undefined ? '' : String(cause) };
}

function expectClean(shown: unknown, secrets = [v2Full]): void {
	const text = JSON.stringify(shown).toLowerCase();
	for (const form of secrets.flatMap(formsOf)) {
		expect(text.includes(form.toLowerCase()), 'a credential value was shown').toBe(false);
	}
}

beforeEach(() => {
	bench.sandbox.setUnkind({});
	// The trigger tries again what may pass: at once.
	vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
	vi.restoreAllMocks();
});

describe.each(sampleCases)('$name shows no key that the service repeats', (sample) => {
	const { parameters } = sample;
	const path = sample.requests.v2?.path;
	const isList = typeof sample.gives === 'object';
	const options = { ...(parameters.options as object), maxRetries: 0, maxWait: 0 };

	test.each(answers)('in %s', async (_name, fault) => {
		for (const skip of isList ? [0, 1] : [0]) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				bench.sandbox.clearFaults();
				bench.sandbox.addFault({ path, ...fault, skip, times: Infinity });
				const run = await runNode({
					parameters: { ...parameters, options: { ...options, pageSize: 5 } },
					credential: bench.v2(),
					onError,
				});
				// What is no page is an error of a list; a result may be anything.
				if (isList) expect(failuresOf(run)).toBe(1);
				expectClean(written(run));
			}
		}
	});

	test('in everything that it answers, whether it fails or not', async () => {
		bench.sandbox.setUnkind({ echoSecrets: true });
		for (const status of [undefined, 404, 429, 503]) {
			bench.sandbox.clearFaults();
			if (status !== undefined) bench.sandbox.addFault({ path, status, skip: 1, times: 9 });
			const run = await runNode({
				parameters: { ...parameters, options: { ...options, pageSize: 5 } },
				credential: bench.v2(),
				items: [{}, {}],
				onError: 'continueRegularOutput',
			});
			expectClean(written(run));
		}
	});
});

describe('a v1 credential', () => {
	const secrets = [v1AllScopes, workspaceCode];

	test.each(answersWith(secrets))(
		'shows neither token nor workspace code in %s',
		async (_name, fault) => {
			bench.sandbox.addFault({ path: '/v1/enrich', ...fault });
			const run = await runNode({
				parameters: {
					resource: 'company',
					operation: 'enrich',
					dataToSend: 'json',
					jsonBody: '{"domain":"a.example"}',
					options: { maxWait: 0 },
				},
				credential: bench.v1(v1AllScopes, workspaceCode),
			});
			// After a 401 the service is also asked whether the token is of the other kind.
			const paths = new Set(bench.sandbox.requests.map(({ path }) => path));
			paths.delete('/v2/public/auth/whoami');
			expect([...paths]).toEqual(['/v1/enrich']);
			expectClean(written(run), secrets);
		},
	);
});

const saysThatItFailed = (ended: { error?: unknown; logs?: Array<{ message: string }> }): boolean =>
	ended.error !== undefined || messagesOf(ended.logs ?? []).includes('a request failed');

describe('the trigger shows no key that the service repeats', () => {
	const once = { startFrom: 'beginning', options: { pageSize: 5 } };

	test.each(answers)('in %s', async (_name, fault) => {
		for (const skip of [0, 1, 2]) {
			for (const mode of ['trigger', 'manual'] as const) {
				bench.sandbox.clearFaults();
				const headers = { 'retry-after': '600', ...fault.headers };
				bench.sandbox.addFault({ ...fault, headers, skip, times: Infinity });
				const poller = await companyTrigger(bench)(once);
				const ended = await poller.poll({ mode, budgetMs: 5_000 }).then(
					({ logs }) => ({ logs }),
					(error: unknown) => ({ error, ...ownTexts(error) }),
				);
				// A poll that broke off after its first page keeps what it has, and says so in the log.
				if (skip === 0) expect(ended).toSatisfy(saysThatItFailed);
				expectClean(ended);
			}
		}
	});
});
