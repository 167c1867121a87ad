import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { InputProblem } from '../../../../nodes/shared/errors/node-errors.ts';
import { readAdditionalParameters } from '../../../../nodes/shared/panel/additional-parameters.ts';
import { problemOf } from '../../WorkspaceData/parameters-support.mts';

const rows = (...values: Array<{ name: unknown; value: unknown }>) => ({ values });
const read = (value: unknown, goesInto: 'address' | 'body' = 'address') =>
	readAdditionalParameters(value, goesInto);

describe('readAdditionalParameters', () => {
	it.each([undefined, null, '', {}, { values: [] }, rows({ name: '', value: '' })])(
		'returns undefined for the empty filters %j',
		(value) => {
			expect(read(value)).toBeUndefined();
		},
	);

	it.each(['limit', 'page', 'cursor', 'sort', 'sortKey', 'object_type', 'Limit', ' CURSOR '])(
		'rejects the filter name %j, because the node sets this parameter itself',
		(name) => {
			const { message, description } = problemOf(() => read(rows({ name, value: 'x' })));
			expect(message).toContain(`"${name.trim()}" is set by this node`);
			expect(description).toContain('Remove it');
		},
	);

	it('rejects a number in a filter if it may have lost digits, but accepts the number as text', () => {
		const large = 2 ** 53 + 2;
		expect(problemOf(() => read(rows({ name: 'id', value: large }))).message).toBe(
			'The number in the filter "id" is too large to be sent exactly',
		);
		const nested = rows({ name: 'filter', value: { owner: { ids: [1, large] } } });
		expect(problemOf(() => read(nested, 'body')).message).toContain('"filter.owner.ids[1]"');
		expect(read(rows({ name: 'id', value: String(large) }))).toEqual({ id: String(large) });
		expect(read(rows({ name: 'id', value: 2 ** 53 - 1 }))).toEqual({ id: 2 ** 53 - 1 });
	});

	it('rejects a Set as a filter value, because JSON cannot represent it', () => {
		const nested = rows({ name: 'filter', value: { ids: new Set([1]) } });
		expect(problemOf(() => read(nested, 'body')).message).toBe(
			'The filter "filter.ids" is of type Set, which cannot be sent',
		);
	});

	it.each([undefined, null, Number.NaN, Infinity])('rejects the filter value %j', (value) => {
		for (const goesInto of ['address', 'body'] as const) {
			const { message, description } = problemOf(() => read(rows({ name: 'a', value }), goesInto));
			expect(message).toContain('"a" has a value that cannot be sent');
			expect(description.includes('an object')).toBe(goesInto === 'body');
			expect(description).toContain(`It is ${value ?? 'empty'} now.`);
		}
	});

	it.each([{ value: {} }, { value: { a: 1 } }, { value: [] }, { value: ['a', ['b']] }])(
		'accepts the filter value $value in a body, but not in a URL',
		({ value }) => {
			expect(read(rows({ name: 'a', value }), 'body')).toEqual({ a: value });
			expect(problemOf(() => read(rows({ name: 'a', value }))).message).toContain('cannot be sent');
		},
	);

	it('returns filters or throws an InputProblem for any result of an expression', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.boolean(), (value, wraps) => {
				try {
					const found = read(wraps ? { values: value } : value);
					expect(['undefined', 'object']).toContain(typeof found);
				} catch (error) {
					expect(error).toBeInstanceOf(InputProblem);
				}
			}),
		);
	});
});
