import { describe, expect, it } from 'vitest';

import { NOT_TLS, ServiceFailure } from '../../../../nodes/shared/client/failures.ts';
import { explain } from '../../../../nodes/shared/errors/explain.ts';

/** Advice for a list whose service may reject a filter. */
const FILTER_LATER =
	"If the service does not accept a filter, remove it, and put n8n's Filter after this node.";

describe('a mistake of the user', () => {
	const refused = (statusCode: number, words?: string): ServiceFailure =>
		new ServiceFailure('status', { statusCode, words, page: 1, recordsRead: 0 });
	const query = { objectType: 'contcats' };

	it.each([
		[query, "'Object Type', 'Filters' and 'Page Size'"],
		[{ objectType: 'deal', isFixedType: true }, "'Filters' and 'Page Size'"],
		[{ values: 'the fields to send' }, 'the fields to send'],
	] as const)("tells users to check parameters against the service's message: %j", (...row) => {
		const [context, where] = row;
		const words = 'Unknown body field "stage". Known: object_type, limit, sort, cursor';
		const ofList = where.includes("'Filters'") ? ` ${FILTER_LATER}` : '';
		const fix = `Check ${where} against the message of the service.${ofList}`;
		for (const statusCode of [400, 409, 422]) {
			const { message, description } = explain(refused(statusCode, words), context);
			expect(message).toBe(`The service refused the request (HTTP ${statusCode}): "${words}"`);
			expect(description).toMatch(/^1\. .*\n2\. If they are right, check the 'Base URL'/);
			expect(description.startsWith(`1. ${fix}\n`)).toBe(true);
			expect(explain(refused(statusCode), context).description).toMatch(
				`1. Check ${where}.${ofList}\n2. If they are right`,
			);
		}
		const unsuccessful = new ServiceFailure('unsuccessful', refused(200, words).facts);
		const { message, description } = explain(unsuccessful, context);
		expect(message).toBe(`The service reports that it did not process the request: "${words}"`);
		expect(description).toBe(fix);
	});

	it.each([query, { values: 'the fields to send' }, {}])(
		"shows the service's message for every HTTP status 4xx (error context: %j)",
		(context) => {
			for (let statusCode = 400; statusCode < 500; statusCode++) {
				const { message, description } = explain(refused(statusCode, 'Not so!'), context);
				expect(message).toMatch(/: "Not so!"$/);
				expect(description).not.toContain('Not so!');
			}
		},
	);

	it("shows the service's message if a successful response has no list of records", () => {
		const facts = { words: 'Session expired', page: 1, recordsRead: 0 };
		const { message, description } = explain(new ServiceFailure('missingItems', facts), query);
		expect(message).toBe('The API response contains no list of records: "Session expired"');
		expect(description).toMatch(
			/^1\. Check 'Object Type', .* against the message of the service\. .*\n2\. Check the 'Base URL'/,
		);
	});

	it.each([query, { values: 'the fields to send' }, {}])(
		'does not blame the Base URL for an error response in the format of the service (error context: %j)',
		(context) => {
			for (let statusCode = 400; statusCode < 500; statusCode++) {
				const { facts } = refused(statusCode, 'Not so!');
				const failure = new ServiceFailure('status', { ...facts, isEnvelope: true });
				const { message, description } = explain(failure, context);
				expect(`${message} ${description}`).not.toMatch(/Base URL|Address not found/);
			}
		},
	);

	it('blames the object type, not the address, if a query gets HTTP 404', () => {
		const { message, description } = explain(refused(404), query);
		expect(message).toBe('Object type "contcats" not found');
		expect(description).toMatch(/^1\. Choose another 'Object Type' in this node/);
	});

	it('recommends Record: Query if an operation with a fixed object type gets HTTP 404', () => {
		const context = { objectType: 'deal', isFixedType: true };
		const { message, description } = explain(refused(404), context);
		expect(message).toBe('Object type "deal" not found');
		expect(description).toMatch(/^1\. Use Record: Query, and enter the name .* 'Object Type'\./);
	});

	it.each([
		['HTTP 400', refused(400, 'limit must be at most 100'), query],
		['HTTP 404 of a list without an object type', refused(404), {}],
		['HTTP 404 in the middle of a list', refused(404).with({ page: 3, recordsRead: 200 }), query],
	])('does not blame the object type for %s', (_name, failure, context) => {
		expect(explain(failure, context).message).not.toContain('Object type');
	});

	it.each<[number, string?]>([
		...[400, 404, 410, 422].map((statusCode): [number] => [statusCode]),
		[422, 'cursor: has expired'],
		[404, 'Unknown cursor.'],
		[400, 'The cursor was made for another object_type.'],
	])(
		'blames the Start Cursor for HTTP %i, without repeating the cursor (case %#)',
		(statusCode, words) => {
			const failure = refused(statusCode, words).with({ nextCursor: 'mistyped' });
			const { message, description } = explain(failure, query);
			const said = words === undefined ? '' : `: "${words}"`;
			expect(message).toBe(`The service refused this 'Start Cursor'${said}`);
			expect(description).toMatch(/^1\. Clear the option 'Start Cursor'/);
			expect(description).not.toContain('mistyped');
		},
	);

	it.each([
		[404, 'Not found', query, 'Object type "contcats" not found: "Not found"'],
		[404, 'Cannot GET /v1/v2', {}, 'Address not found at the service: "Cannot GET /v1/v2"'],
		[422, 'stage: unknown', {}, 'The service refused the request (HTTP 422): "stage: unknown"'],
	])('names other causes before the Start Cursor for HTTP %i with the message "%s"', (...row) => {
		const [statusCode, words, context, said] = row;
		const failure = refused(statusCode, words).with({ nextCursor: 'good' });
		const { message, description } = explain(failure, context);
		expect(message).toBe(said);
		expect(description).toMatch(
			/^1\. C(heck|hoose) [^]*\n\d\. Clear the option 'Start Cursor' .* too old\.$/m,
		);
		expect(description).not.toContain('good');
	});

	it.each([
		['no such business', 'The service found nothing for these values: "no such business"'],
		[undefined, 'The service found nothing for these values'],
	] as const)(
		'blames the values of a call, not the address, for HTTP 404 (message: %s)',
		(words, said) => {
			const failure = new ServiceFailure('status', { statusCode: 404, words });
			const context = { values: "'Order ID'", operation: 'Order: Cancel' };
			const { message, description } = explain(failure, context);
			expect(message).toBe(said);
			expect(description).toMatch(/^1\. Check the values of 'Order ID'\./);
			expect(description).not.toContain(words ?? '?');
		},
	);

	it('does not blame the Start Cursor if the API key is rejected', () => {
		const failure = refused(401).with({ nextCursor: 'good' });
		expect(explain(failure, query).message).toBe('Key or token not recognized');
	});

	it.each([
		[NOT_TLS, /HTTPS_PROXY[^]* has to start with http:\/\//],
		['CERT_HAS_EXPIRED', /has expired/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /for another name/],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
		...['EPROTO', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'CERT_REVOKED'].map(
			(code): [string, RegExp] => [code, /check its certificate and its TLS settings/],
		),
	])('explains a mistake in the URL scheme or in the certificate: %s', (code, fix) => {
		const { description } = explain(new ServiceFailure('insecure', { code }), {});
		expect(description).toMatch(fix);
		// http:// is a fix only if the server does not use TLS. Otherwise http:// would expose the key.
		expect(description.includes('http://')).toBe(code === NOT_TLS);
	});
});
