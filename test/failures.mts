import {
	ServiceFailure,
	type FailureFacts,
	type FailureKind,
} from '../nodes/shared/client/failures.ts';
import { failureClassOf, STATUS_CLASSES } from '../nodes/shared/client/failure-classes.ts';
import { decideRetry, type RetryRules } from '../nodes/shared/client/retry.ts';
import { KIND_TEXTS } from '../nodes/shared/errors/kind-texts.ts';
import { STATUS_TEXTS } from '../nodes/shared/errors/status-texts.ts';

/** All kinds of failures that the client can report. */
export const FAILURE_KINDS = ['status', ...Object.keys(KIND_TEXTS)] as FailureKind[];

const ORDINARY_STATUSES = [400, 409, 418, 422, 429, 500, 502, 503, 504];
/** All HTTP statuses with their own failure class or error text, and some ordinary statuses. */
export const STATUSES = [
	...new Set([STATUS_CLASSES, STATUS_TEXTS].flatMap((rows) => Object.keys(rows).map(Number))),
	...ORDINARY_STATUSES,
].toSorted((one, other) => one - other);

/** Retry rules that allow the first retry of a request. */
export const RULES: RetryRules = {
	repeat: 'safe',
	limits: { maxRetries: 1, maxWaitMs: 300_000 },
	times: 0,
	leftMs: 300_000,
	random: () => 0.5,
};
export const REPEATS = ['safe', 'acts', 'billed'] as const;

/** Returns for each effect of a repeated request whether a failed request is retried ("again") or why not. */
export function decisionsOn(failure: ServiceFailure): Record<(typeof REPEATS)[number], string> {
	const decisions = REPEATS.map((repeat) => {
		const decision = decideRetry(failure, { ...RULES, repeat });
		return [repeat, typeof decision === 'number' ? 'again' : decision] as const;
	});
	return Object.fromEntries(decisions) as ReturnType<typeof decisionsOn>;
}

const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_none, index) => from + index);
const all = (kind: FailureKind, facts: FailureFacts[] = [{}]) =>
	facts.map((one) => new ServiceFailure(kind, one));
const alone = (codes: number[]) => codes.map((statusCode) => ({ statusCode }));
const waiting = (codes: number[]) => codes.map((statusCode) => ({ statusCode, retryAfterMs: 0 }));
const without = (codes: number[], others: number[]) =>
	codes.filter((code) => !others.includes(code));

const AWAY = [408, 425, 499, ...range(500, 599)];
const REFUSALS = without(range(400, 499), AWAY);
const ELSEWHERE = [302, 303];
const REDIRECTS = [...range(300, 303), ...range(305, 308)];
const toOtherHost = (codes: number[]) =>
	codes.map((statusCode) => ({ statusCode, movedTo: 'https://other.example' }));

/** All failures of single requests, with the words and in the order of the table in docs/reliability.md. */
export const WHAT_HAPPENED: ReadonlyArray<[words: string, failures: ServiceFailure[]]> = [
	['No connection was made (refused, name not found): never sent', all('notSent')],
	[
		'The connection broke, the time ran out, the response was cut off or is not JSON',
		[...all('connectionLost'), ...all('timeout'), ...all('invalidBody')],
	],
	[
		'The response is not in UTF-8, or longer than half a gigabyte',
		[...all('notUtf8'), ...all('tooLong')],
	],
	[
		'A list comes without its records or its pagination (HTTP 200)',
		[...all('missingItems'), ...all('missingPagination')],
	],
	[
		'HTTP 429, or 403 or 503 with `Retry-After`: the service did not process it',
		all('status', [...alone([429]), ...waiting([403, 429, 503])]),
	],
	[
		'HTTP 408, 425, 499 and every other 5xx',
		all('status', [...alone(AWAY), ...waiting(without(AWAY, [503]))]),
	],
	['A redirect to another path by HTTP 302 or 303', all('redirected', alone(ELSEWHERE))],
	[
		'Any other 4xx, any other redirect, or a response that says `success: false`',
		[
			...all('status', alone(without(REFUSALS, [429]))),
			...all('status', waiting(without(REFUSALS, [403, 429]))),
			...all('redirected', alone(without(REDIRECTS, ELSEWHERE))),
			...all('redirected', toOtherHost(REDIRECTS)),
			...all('unsuccessful'),
		],
	],
	[
		'No secure connection (certificate), or blocked by n8n',
		[...all('insecure'), ...all('blocked')],
	],
];

/** All failures that concern the pages of a list or the whole run, and not a single request. */
export const OF_NO_REQUEST = FAILURE_KINDS.filter((kind) => kind !== 'status')
	.flatMap((kind) => all(kind))
	.filter((failure) => ['list', 'run'].includes(failureClassOf(failure).scope));
