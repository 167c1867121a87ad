import { describe, expect, it } from 'vitest';

import type { FailureContext } from '../../../../nodes/shared/errors/texts.ts';
import { cursorToContinue, explain } from '../../../../nodes/shared/errors/explain.ts';
import {
	ServiceFailure,
	type FailureFacts,
	type FailureKind,
} from '../../../../nodes/shared/client/failures.ts';
import { FAILURE_KINDS, OF_NO_REQUEST, WHAT_HAPPENED } from '../../../failures.mts';

const STATUS_CODES = Array.from({ length: 200 }, (_none, index) => 400 + index);
const CONTEXTS: FailureContext[] = [
	{},
	{ apiVersion: 'v1', permission: 'an access token with the scope companies:write' },
	{ apiVersion: 'v2', permission: 'an API key with Full access' },
];
const WORDS = 'No such company';
/** Examples of the facts that may be known about a failure. */
const FACTS: FailureFacts[] = [
	{},
	{ statusCode: 200, words: '', attempts: 1 },
	{ words: WORDS, ctxId: 'ctx-77', attempts: 5, gaveUp: 'retriesUsed' },
	{ gaveUp: 'waitTooLong', retryAfterMs: 4_000_000, attempts: 1 },
	{ gaveUp: 'waitTooLong', retryAfterMs: Infinity },
	{ gaveUp: 'mayBeBilled', timeoutMs: 1_500, host: 'api.example.com', code: 'ECONNRESET' },
	{ gaveUp: 'mayHaveActed', timeoutMs: 1_500, host: 'api.example.com', attempts: 1 },
	{ redirectedTo: 'https://new.example.com', host: 'api.example.com' },
	{ page: 3, recordsRead: 0 },
	{ page: 3, recordsRead: 200, nextCursor: 'cursor-3', pageSize: 90 },
	{ page: 2, recordsRead: 1, total: 1 },
	{ page: 2, recordsRead: 2_000, gaveUp: 'retriesUsed', smallerPageSize: 100 },
];

/** Matches raw values, such as "undefined", and signs of a badly composed sentence, such as two spaces in a row. */
const BROKEN =
	/,\.|(?<![\d.,])1 (?:\w+s\b|record[^.]* (?:are|have)\b)|undefined|\bnull\b|NaN|Infinity|\[object|\$\{|\s{2}|\.\.|\. \.|^[^\w']|\( *\)/;

const FIX =
	/^(?:1\. )?(?:Ask|Begin|Check|Choose|Clear|If you trust|In the credential|Leave|Poll|Raise|Read|Report|Run|Send|Set|Use)\b/;

/** Checks whether several pieces of advice are numbered from the first line on, and a single piece has no number. */
function isNumberedWell(description: string): boolean {
	const places = description
		.split('\n')
		.flatMap((line, index) => (/^\d+\. /.test(line) ? [index] : []));
	const numbers = [...description.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
	const isInOrder = numbers.every((number, index) => number === index + 1);
	return isInOrder && (numbers.length === 0 || (numbers.length > 1 && places[0] === 0));
}

/** Returns the flaws in the error texts for a failure. */
function flawsOf(failure: ServiceFailure, context: FailureContext): string[] {
	const { message, description } = explain(failure, context);
	const { recordsRead = 0 } = failure.facts;
	const told = `${failure.message} ${JSON.stringify(failure.facts)}`;
	const flaws: string[] = [];
	for (const [part, text] of Object.entries({ message, description })) {
		if (text === '') flaws.push(`${told}: empty ${part}`);
		else if (text !== text.trim() || BROKEN.test(text)) flaws.push(`${told}: ${part} "${text}"`);
	}
	if (!isNumberedWell(description)) flaws.push(`${told}: not in one order: "${description}"`);
	if (recordsRead > 0 && description.includes("'Base URL'"))
		flaws.push(`${told}: blames an address that has answered`);
	if (!FIX.test(description)) flaws.push(`${told}: no fix first in "${description}"`);
	if (message.endsWith('.')) flaws.push(`${told}: full stop after "${message}"`);
	return flaws;
}

/** Returns the flaws in the error texts for a kind of failure, with all combinations of facts and contexts. */
function allFlawsOf(kind: FailureKind, statusCode?: number): string[] {
	return FACTS.flatMap((facts) => {
		const known = statusCode === undefined ? facts : { ...facts, statusCode };
		return CONTEXTS.flatMap((context) => flawsOf(new ServiceFailure(kind, known), context));
	});
}

describe('explain', () => {
	it.each(FAILURE_KINDS)(
		'explains the failure %s in correct sentences, whatever facts are known',
		(kind) => {
			expect(allFlawsOf(kind)).toEqual([]);
		},
	);

	it('reports credential-invalid to n8n only for a rejected key, because n8n then pauses a trigger for half an hour', () => {
		const failures = [...WHAT_HAPPENED.flatMap(([, ofLine]) => ofLine), ...OF_NO_REQUEST];
		const byCause = Map.groupBy(failures, (failure) => explain(failure, {}).cause?.cause);
		const told = [...byCause.keys()].filter((cause) => cause !== undefined);
		expect(told.toSorted()).toEqual([
			'credential-invalid',
			'quota-exhausted',
			'rate-limited',
			'temporarily-unavailable',
		]);
		const statusesOf = (cause: (typeof told)[number]) =>
			new Set(byCause.get(cause)?.map(({ facts }) => facts.statusCode));
		expect(statusesOf('credential-invalid')).toEqual(new Set([401]));
		expect(statusesOf('quota-exhausted')).toEqual(new Set([402]));
	});

	it('explains every HTTP status from 400 to 599 in correct sentences', () => {
		expect(STATUS_CODES.flatMap((statusCode) => allFlawsOf('status', statusCode))).toEqual([]);
	});

	it.each([
		[
			'Ignore Total if a list has more than twice as many records as its total',
			new ServiceFailure('endlessList', { recordsRead: 1_400, total: 150 }),
			/^4\. If the total is only an estimate, turn on 'Ignore Total'\.$/m,
		],
		...[500, 504].map((statusCode): [string, ServiceFailure, RegExp] => [
			`a smaller Page Size if a page of 100 fails (HTTP ${statusCode})`,
			new ServiceFailure('status', { statusCode, page: 1, recordsRead: 0, smallerPageSize: 25 }),
			/^2\. Set the option 'Page Size' to 25, and run this again\.$/m,
		]),
	] as const)('recommends an option to prevent the failure: %s', (_what, failure, expected) => {
		expect(explain(failure, {}).description).toMatch(expected);
	});

	it.each<[string, FailureFacts, RegExp]>([
		[
			'the reason is unknown',
			{ statusCode: 404 },
			/^1\. Read fewer records at once, with 'Filters', 'Changed After' .*\n2\. Set a larger .*\n3\. To continue after 200 records.*\ncursor-3/,
		],
		[
			'the service limits the number of pages',
			{ statusCode: 400, words: 'Cannot page beyond 10000 results' },
			/^1\. Read fewer records at once, with 'Filters', .*\n2\. Set a larger 'Page Size'.*\n3\. To continue/,
		],
		[
			'the cursor is too old, as the status shows',
			{ statusCode: 410 },
			/^1\. Set a larger 'Page Size'.*\n2\. .* do less between two pages\.\n3\. Read fewer/,
		],
		[
			'the cursor is too old, as the message shows',
			{ statusCode: 409, words: 'The page token has expired' },
			/^1\. Set a larger 'Page Size'.*\n2\. .* do less between two pages\.\n3\. Read fewer/,
		],
		[
			'the node follows changes',
			{ statusCode: 400, recordsRead: undefined, nextCursor: undefined, pageSize: undefined },
			/^1\. Read fewer records at once, with 'Filters'\.\n2\. Set a larger 'Page Size'/,
		],
	])('advises how to continue if the service rejects page 3: %s', (_why, facts, expected) => {
		const position = { page: 3, recordsRead: 200, nextCursor: 'cursor-3', pageSize: 1_000 };
		const failure = new ServiceFailure('status', { ...position, smallerPageSize: 100, ...facts });
		const { message, description } = explain(failure, { objectType: 'company' });
		const { statusCode, words } = facts;
		const said = words === undefined ? '' : `: "${words}"`;
		expect(message).toBe(`The service refused page 3 (HTTP ${statusCode})${said}`);
		expect(description).toMatch(expected);
		expect(description).not.toMatch(/Base URL|Object Type|[Rr]un this again/);
		expect(cursorToContinue(failure)).toBe(failure.facts.nextCursor);
		expect(description.includes('To continue')).toBe(expected.source.includes('To continue'));
	});

	it.each<[FailureKind, FailureFacts]>([
		['status', { statusCode: 503, words: 'Try later' }],
		['status', { statusCode: 503, smallerPageSize: 100, pageSize: 1_000 }],
		['status', { statusCode: 410 }],
		['status', { statusCode: 401 }],
		['timeout', { timeoutMs: 1_000 }],
		['incompleteList', { total: 500, received: 100 }],
	])('offers no cursor if n8n has discarded the records read so far: %s %j', (kind, facts) => {
		const position = { page: 3, recordsRead: 2_000, nextCursor: 'cursor-3', pageSize: 100 };
		const failure = new ServiceFailure(kind, { ...position, ...facts });
		const stopping = explain(failure, { keepsOutput: false }).description;
		expect(stopping).toMatch(
			/et On Error to Continue in the settings of this node.*: n8n did not keep the 2,000 records read so far\.$/m,
		);
		expect(stopping).not.toMatch(
			/To continue|cursor-3|Run this again in a while|read before this error/,
		);
		const { description } = explain(failure, { keepsOutput: true });
		expect(description).toContain('Records read before this error: 2,000 (page 3).');
		expect(description).not.toMatch(/did not keep|On Error/);
		expect(description.includes('cursor-3')).toBe(facts.statusCode !== 410);
	});

	it('recommends a smaller Page Size only after a timeout, HTTP 408, 413 or 5xx, or a response that is too long', () => {
		const facts = { page: 1, recordsRead: 0, smallerPageSize: 25, gaveUp: 'retriesUsed' } as const;
		const statuses = [...STATUS_CODES.map((statusCode) => ({ ...facts, statusCode }))];
		const failures = [
			...FAILURE_KINDS.map((kind) => new ServiceFailure(kind, facts)),
			...statuses.map((ofStatus) => new ServiceFailure('status', ofStatus)),
		];
		const smaller = failures.filter((failure) =>
			explain(failure, {}).description.includes("'Page Size' to 25"),
		);
		expect(smaller.map(({ message }) => message)).toEqual([
			...['timeout', 'tooLong', 'status 408', 'status 413'],
			...STATUS_CODES.slice(100).map((statusCode) => `status ${statusCode}`),
		]);
	});

	it('blames the Base URL first if a website responds instead of the service', () => {
		const facts = { page: 1, recordsRead: 0, smallerPageSize: 25, attempts: 7, words: 'Welcome!' };
		const website = new ServiceFailure('invalidBody', { ...facts, statusCode: 200, isText: true });
		expect(explain(website, {}).description).toBe(
			'Check the \'Base URL\' in the credential: a website or a proxy may be answering in place of the service.\nThe response says: "Welcome!"',
		);
	});

	const ended = { total: 5_000, recordsRead: 250, nextCursor: 'c2', pageSize: 100, page: 3 };
	it.each<[string, FailureKind, FailureFacts, RegExp]>([
		[
			'a list that ended early',
			'incompleteList',
			ended,
			/^1\. Set the option 'Page Size' to 50, .*\n2\. .*'Ignore Total'\.\n3\. Otherwise, ask .*\n4\. To keep .* set On Error/,
		],
		['an outage', 'status', { ...ended, statusCode: 502 }, /^1\. Set On Error/],
		[
			'a rejected API key',
			'status',
			{ ...ended, statusCode: 401 },
			/^1\. In the credential, [^]*To keep /,
		],
		[
			'a timeout of a large page',
			'timeout',
			{ ...ended, smallerPageSize: 100 },
			/^1\. Set the option 'Page Size' to 100, .*\n2\. Raise 'Timeout'.*\n3\. To keep /,
		],
		['a changed list', 'changedList', ended, /^1\. Set On Error .*\n2\. Set a larger/],
	])(
		'begins with the most likely fix after %s if the node stops the workflow',
		(_what, kind, facts, order) => {
			const { description } = explain(new ServiceFailure(kind, facts), { keepsOutput: false });
			expect(description).toMatch(order);
		},
	);

	it('names only parameters that the panel shows for the list that failed', () => {
		const refused = { statusCode: 400, page: 3, recordsRead: 200, nextCursor: 'c3', pageSize: 100 };
		const said = (facts: FailureFacts, context: FailureContext, kind: FailureKind = 'status') =>
			explain(new ServiceFailure(kind, facts), context).description;
		const dates = /'Changed (After|Before)'|'Sort Order'/;
		const endless = { recordsRead: 5_000, total: 1_000 };
		expect(said(endless, {}, 'endlessList')).toMatch(dates);
		expect(said(endless, { isFollowed: true }, 'endlessList')).not.toMatch(dates);
		expect(said({ ...endless, isByNumber: true }, {}, 'endlessList')).not.toMatch(dates);
		expect(said(refused, {})).toMatch(dates);
		expect(said({ ...refused, isByNumber: true }, {})).not.toMatch(dates);
		const start = { ...refused, page: 1, recordsRead: 0 };
		expect(said(start, { objectType: 'deal' })).toContain("'Object Type'");
		expect(said(start, { objectType: 'deal', isFixedType: true })).not.toContain("'Object Type'");
		expect(said(start, {})).not.toContain("'Object Type'");
	});

	it('does not offer the Start Cursor that the user has entered as a cursor to continue', () => {
		const facts = { page: 1, recordsRead: 0, nextCursor: 'mine', pageSize: 100 };
		expect(explain(new ServiceFailure('timeout', facts), {}).description).not.toContain('mine');
	});

	it.each([
		[401, 'Sign in', /^A firewall or proxy refused the request \(HTTP 401\): .* page, "Sign in"$/],
		[403, '', /^A firewall or proxy refused the request \(HTTP 403\): .* a web page$/],
		[407, 'Squid', /^A firewall or proxy refused the request \(HTTP 407\): .* page, "Squid"$/],
		[404, 'Gone', /^Address not found at the service$/],
		[
			401,
			undefined,
			/^The service, or a firewall or proxy in front of it, refused .* \(HTTP 401\): "No!"$/,
		],
		[
			403,
			undefined,
			/^The service, or a firewall or proxy in front of it, refused .* \(HTTP 403\): "No!"$/,
		],
	])(
		'names the service or a proxy as the sender of HTTP %i (title of the web page: %s)',
		(statusCode, webPage, expected) => {
			const answer = { statusCode, webPage, isText: true, words: 'No!' };
			for (const context of [{}, { values: 'the fields to send' }, { objectType: 'a' }] as const) {
				const { message, description, cause } = explain(
					new ServiceFailure('status', answer),
					context,
				);
				expect(message).toMatch(expected);
				expect(`${message}\n${description}`).toMatch(/(refused .*|The response says): "No!"/);
				expect(cause?.cause).not.toBe('credential-invalid');
				expect(description.includes('HTTP_PROXY')).toBe(statusCode !== 404);
			}
		},
	);
});
