import { describe, expect, it } from 'vitest';

import { readListParameters } from '../../../../nodes/WorkspaceData/list/list-parameters.ts';
import { problemOf, rowOf, taskOf } from '../parameters-support.mts';
import { ENRICH, jsonOf, PROSPECT, read, SCORE_COMPANY, SCORE_DEAL } from './read-call.mts';

const GET_MANY = rowOf('company', 'getAll');

type Options = Record<string, unknown>;

const readWith = (options: Options, operation = ENRICH) =>
	read({ ...jsonOf('{"domain":"a.example"}'), options }, operation);

describe('options of a call', () => {
	it('allows five parallel calls by default', () => {
		expect(readWith({}).maxConcurrent).toBe(5);
	});

	it('computes the same cache key from the same credential and data in every release', () => {
		const kept = { isShared: true, keeping: { days: 7, onlyWith: [] } };
		// If this cache key changed, no kept result would be found, and all users would pay again for every result.
		const key = '3cb362c473ede993b328f006134468b65a50a63ba05957fbe93587867a1c3aed';
		expect(readWith({ cache: { values: { days: '7' } } })).toMatchObject({ ...kept, key });
	});

	it('computes a different cache key for a different operation or value, but not for a different order of fields', () => {
		const texts = ['{"a":1,"b":{}}', '{"b":{},"a":1}', '{"a":1,"b":{"c":null}}', '{"a":1,"b":[]}'];
		const digits = ['2', '3'].map((last) => `{"id":900719925474099${last}7}`);
		const keyOf = (text: string, operation = ENRICH) => read(jsonOf(text), operation).key;
		const keys = [...texts, ...digits].map((text) => keyOf(text));
		expect(keys[1]).toBe(keys[0]);
		for (const row of [PROSPECT, SCORE_DEAL, SCORE_COMPANY])
			keys.push(keyOf('{"a":1,"b":{}}', row));
		expect(new Set(keys).size).toBe(8);
	});

	it.each([null, '', -1, 'ten'])(
		'rejects Limit Calls if its expression returns %j, instead of sending calls without a limit',
		(maxCalls) => {
			const values = { ...jsonOf('{"a":1}'), options: { maxCalls } };
			const problem = problemOf(() => read(values, ENRICH, {}, 'options'));
			expect(problem.message).toBe("'Limit Calls' must be a whole number of at least 0");
		},
	);

	it.each(['', ' , '])('rejects Deduplicate By if its text names no field: %j', (deduplicateBy) => {
		const problem = problemOf(() => readWith({ deduplicateBy }));
		expect(problem.message).toBe("This item sends no field that 'Deduplicate By' names");
		expect(problem.description).toContain('write * for all fields that are sent');
	});
});

describe('Deduplicate By', () => {
	const keyOf = (body: object, deduplicateBy: unknown = 'domain, vat_id', operation = ENRICH) =>
		read({ ...jsonOf(body), options: { deduplicateBy } }, operation).key;
	const one = keyOf({ domain: 'acme.example', changed: 1 });

	it.each([
		{ domain: ' Acme.Example\n', changed: 2 },
		{ domain: 'ACME.EXAMPLE' },
		{ domain: 'acme\u200b.example\ufeff' },
		{ domain: '\u00a0acme.\u00adexample' },
		{ domain: 'ａｃｍｅ.example' },
		{ domain: 'acme.example', vat_id: ' ' },
		{ domain: 'acme.example', vat_id: null },
	])('treats %j like the domain acme.example if Deduplicate By names domain and vat_id', (body) => {
		expect(keyOf(body)).toBe(one);
		expect(keyOf(body, ['vat_id', 'domain'])).toBe(one);
	});

	it('computes the same Deduplicate By key for both Unicode forms of a letter such as ü', () => {
		expect(keyOf({ domain: 'müller.example' })).toBe(keyOf({ domain: 'mu\u0308ller.example' }));
		expect(keyOf({ domain: 'müller.example' })).not.toBe(keyOf({ domain: 'muller.example' }));
	});

	it('computes the same Deduplicate By key in every release', () => {
		const key = 'c063a36fad29489241e273338ecf8b37a36b2e68022ebb40004b0ac38301a83f';
		expect(keyOf({ domain: ' Acme.Example', vat_id: 5, more: 1 })).toBe(key);
	});

	it.each([
		{ domain: 'acme.example.com' },
		{ domain: 'acme.example', vat_id: 5 },
		{ vat_id: 'acme.example' },
		{ domain: ['acme.example'] },
	])(
		'distinguishes %j from the domain acme.example if Deduplicate By names domain and vat_id',
		(body) => {
			expect(keyOf(body)).not.toBe(one);
		},
	);

	it('ignores case and outer spaces of nested text in Deduplicate By, but compares all digits and field names', () => {
		const long = '{"domain":{"Ids":[9007199254740993," A"]}}';
		const ofText = (jsonBody: string) => keyOf(jsonBody as never);
		expect(ofText(long.replace(' A', 'a '))).toBe(ofText(long));
		expect(ofText(long.replace('993', '992'))).not.toBe(ofText(long));
		expect(ofText(long.replace('Ids', 'ids'))).not.toBe(ofText(long));
	});

	it('compares a nested field if Deduplicate By names a path such as company.domain', () => {
		const body = (domain: string, more = {}) => ({ company: { domain, ...more }, at: 1 });
		const by = (given: object) => keyOf(given, 'company.domain');
		expect(by(body(' ACME.example', { name: 'Acme' }))).toBe(by(body('acme.example')));
		expect(by(body('b.example'))).not.toBe(by(body('acme.example')));
		// A field with the name "company.domain" takes precedence over the nested field.
		const named = { 'company.domain': 'b.example' };
		expect(by({ ...named, ...body('acme.example') })).toBe(by(named));
		expect(by(named)).not.toBe(by(body('b.example')));
		expect(problemOf(() => by(body(' '))).message).toMatch(/^This item sends no field that/);
	});

	it('computes different cache keys for Deduplicate By with field names and with *, which means all fields', () => {
		const all = read({
			...jsonOf({ domain: 'acme.example' }),
			options: { deduplicateBy: '*' },
		});
		expect(keyOf({ domain: 'acme.example' })).not.toBe(all.key);
	});

	it('computes different Deduplicate By keys for operations with the same URL path', () => {
		const [company, deal] = [SCORE_COMPANY, SCORE_DEAL].map((operation) =>
			keyOf({ id: 5 }, 'id', operation),
		);
		expect(company).not.toBe(deal);
	});

	it.each([
		[{ name: 'Acme' }, ENRICH],
		[{ domain: ' ', vat_id: null, name: 'Acme' }, ENRICH],
		[{ name: 'Acme', object_type: 'deal' }, SCORE_DEAL],
	])(
		'rejects %j if Deduplicate By names only fields that are missing, empty or fixed',
		(body, operation) => {
			const problem = problemOf(() => keyOf(body, 'domain, object_type', operation));
			expect(problem.message).toBe("This item sends no field that 'Deduplicate By' names");
			expect(problem.description).toMatch(
				/^It is "domain, object_type" now\. Send at least one of these .* Names are case-sensitive\.$/,
			);
		},
	);
});

describe('field names as the text of a JSON list', () => {
	const names = ['name', 'address.city'];
	const text = ` ${JSON.stringify(names, null, 1)}\n`;

	/** Functions that read the field names in an option, by the name of the option. */
	const readers: Record<string, (value: unknown) => unknown> = {
		Fields: (fields) => readListParameters(taskOf({ options: { fields } }, GET_MANY)).fields,
		'Output Fields': (outputFields) => readWith({ outputFields }).form.fields,
		'Required Fields': (requiredFields) =>
			readWith({ cache: { values: { requiredFields } } }).keeping?.onlyWith,
		'Deduplicate By': (deduplicateBy) => {
			const body = { name: 'a', address: { city: 'b', zip: 'c' } };
			return read({ ...jsonOf(body), options: { deduplicateBy } }).key;
		},
	};

	it.each(Object.entries(readers))(
		'reads the same field names from JSON text as from a list in the option %s',
		(_label, readNames) => {
			expect(readNames(text)).toEqual(readNames(names));
			expect(readNames('["name"]')).not.toEqual(readNames(names));
		},
	);

	it.each(Object.entries(readers))(
		'rejects invalid JSON text with field names in the option %s',
		(label, readNames) => {
			for (const damaged of ["['name', 'domain']", '["name",', '[1]'])
				expect(problemOf(() => readNames(damaged)).message).toBe(
					`'${label}' must be names separated by commas, or a list of names`,
				);
		},
	);
});
