import { describe, expect, it } from 'vitest';

import { NOT_TLS, ServiceFailure } from '../../../../nodes/client/failures.ts';
import { fieldNamedIn } from '../../../../nodes/client/named-field.ts';
import { explain } from '../../../../nodes/common/errors/explain.ts';

describe('a mistake of the user', () => {
	const sent = { object_type: 'contcats', limit: 100, sort: 'updated_at', stage: 'won' };
	const request = { method: 'POST', path: '', body: sent, repeat: 'safe' } as const;
	const refused = (statusCode: number, words?: string): ServiceFailure =>
		new ServiceFailure('status', {
			...{ statusCode, words, page: 1, recordsRead: 0 },
			field: fieldNamedIn(words ?? '', request),
		});
	const query = { objectType: 'contcats' };

	it.each([
		'Unknown body field "stage". Known: object_type, limit, sort, cursor',
		'stage is not allowed (allowed: object_type, limit)',
		'Invalid request: `stage` must be one of open, won',
		'"Stage" must be one of [object_type, limit or sort]',
		'Unknown fields: stage, owner',
		'Use one of object_type, limit and sort, not stage',
		"'stage' cannot be used with the object type deal",
		'body.stage: extra fields not permitted',
		'There is no property named Stage on deal',
	])('in Filters is told from one in the object type: %s', (words) => {
		for (const statusCode of [400, 404, 409, 422]) {
			for (const context of [query, {}]) {
				const { message, description } = explain(refused(statusCode, words), context);
				expect(message).toBe(`The service refused the request: "${words}"`);
				expect(description).toMatch(/^Check 'Filters' against what the service says\./);
				expect(description).not.toMatch(/Object Type|Base URL/);
			}
		}
		const unsuccessful = new ServiceFailure('unsuccessful', refused(200, words).facts);
		expect(explain(unsuccessful, query).description).toMatch(/^Check 'Filters' against/);
	});

	it.each([
		['domain: is not a domain', 'Fields to Send'],
		['Unknown field "limit"', 'a field called like an option of lists'],
		['Parameters allowed are object_type and name; got domain', 'with a list'],
	])('in the data to send is told so: %s', (words) => {
		const body = { object_type: 'company', domain: 'x', limit: 5 };
		const field = fieldNamedIn(words, {
			...request,
			body: undefined,
			bodyText: JSON.stringify(body),
		});
		const failure = new ServiceFailure('status', { statusCode: 422, words, field });
		const { message, description } = explain(failure, { values: 'the fields to send' });
		expect(message).toBe(`The service refused the request: "${words}"`);
		expect(description).toBe('Check the fields to send against what the service says.');
	});

	it.each([
		'Unknown object_type "contcats". Known fields: object_type, stage',
		'objectType must be one of company, deal',
		'The object type, "contcats", does not exist: see stage',
		'Invalid object-type',
	])('in the object type stays one there: %s', (words) => {
		expect(explain(refused(422, words), query).message).toBe('Object type "contcats" not found');
	});

	it.each([
		'limit must be at most 100. Known: limit, sort, object_type',
		'Known: limit, object_type',
		'',
	])('that is neither in Filters nor in the object type is said of neither: %s', (words) => {
		const { message } = explain(refused(400, words), query);
		expect(message).toBe('The service did not accept the request (HTTP 400)');
	});

	it.each([
		[404, undefined],
		[400, 'Unknown object_type.'],
		[422, 'There is no object type "contcats".'],
	])('in the object type is told from the wrong address: %i %s', (statusCode, words) => {
		const { message, description } = explain(refused(statusCode, words), query);
		expect(message).toBe('Object type "contcats" not found');
		expect(description).toMatch(/^1\. Choose another 'Object Type' in this node/);
	});

	it('in the object type of an operation for one type names the operation for any', () => {
		const context = { objectType: 'deal', isFixedType: true };
		const { message, description } = explain(refused(404), context);
		expect(message).toBe('Object type "deal" not found');
		expect(description).toMatch(/^1\. Use Record: Query, and enter the name .* 'Object Type'\./);
	});

	it.each([
		['another mistake', refused(400, 'limit must be at most 100'), query],
		['a list of one type', refused(404), {}],
		['the middle of a list', refused(404).with({ page: 3, recordsRead: 200 }), query],
	])('is not seen in the object type for %s', (_name, failure, context) => {
		expect(explain(failure, context).message).not.toContain('Object type');
	});

	it.each<[number, string?]>([
		...[400, 404, 410, 422].map((statusCode): [number] => [statusCode]),
		[422, 'cursor: has expired'],
		[404, 'Unknown cursor.'],
		[400, 'The cursor was made for another object_type.'],
	])('in the Start Cursor is not repeated: %i %s', (statusCode, words) => {
		const failure = refused(statusCode, words).with({ nextCursor: 'mistyped' });
		const { message, description } = explain(failure, query);
		expect(message).toBe("The service refused this 'Start Cursor'");
		expect(description).toMatch(/^1\. Clear the option 'Start Cursor'/);
		expect(description).not.toContain('mistyped');
	});

	it.each([
		[404, 'Not found', query, 'Object type "contcats" not found'],
		[422, 'Unknown object_type.', query, 'Object type "contcats" not found'],
		[404, 'Cannot GET /v1/v2/public/companies', {}, 'Address not found at the service'],
		[400, 'Unknown filter "stgae".', query, 'The service did not accept the request (HTTP 400)'],
		[422, 'stage: unknown', {}, 'The service refused the request: "stage: unknown"'],
	])('in anything else comes before the Start Cursor: %i %s', (...row) => {
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
	] as const)('in what a call sends is told from the wrong address: %s', (words, said) => {
		const failure = new ServiceFailure('status', { statusCode: 404, words });
		const context = { values: "'Order ID'", operation: 'Order: Cancel' };
		const { message, description } = explain(failure, context);
		expect(message).toBe(said);
		expect(description).toMatch(/^1\. Check the values of 'Order ID'\./);
		expect(description).not.toContain(words ?? '?');
	});

	it('in the key is not seen in the Start Cursor', () => {
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
	])('in scheme or certificate is named: %s', (code, fix) => {
		const { description } = explain(new ServiceFailure('insecure', { code }), {});
		expect(description).toMatch(fix);
		// For any other, http:// would send the key in clear.
		expect(description.includes('http://')).toBe(code === NOT_TLS);
	});
});
