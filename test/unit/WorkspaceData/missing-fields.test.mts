import { expect, it } from 'vitest';

import { MissingFields } from '../../../nodes/WorkspaceData/hints.ts';

type Records = Array<Record<string, unknown>>;

/** The hints after these pages of records. */
function hintsAfter(fields: string[] | undefined, ...pages: Records[]): string[] {
	const hints: string[] = [];
	const context = { addExecutionHints: (one: { message: string }) => hints.push(one.message) };
	const missing = new MissingFields(fields);
	for (const records of pages) missing.lookAt(records);
	// As for two input items.
	for (let times = 0; times < 2; times++) missing.hint(context as never);
	return hints;
}

const company = { id: 1, name: 'Northwind', created_at: null, city: 'Kiel' };

it.each([
	[['name', 'created_at'], undefined],
	[['Name', 'umsatz'], 'fields Name, umsatz. Names are case-sensitive: did you mean name?'],
	[['ID'], 'field ID. Names are case-sensitive: did you mean id?'],
	[['createdAt'], 'field createdAt. Did you mean created_at?'],
	[['nmae', 'nam', 'cyti'], 'fields nmae, nam, cyti. Did you mean name?'],
	[['cityy', 'Citx'], 'fields cityy, Citx. Did you mean city?'],
	[
		['CITY', 'creatd_t'],
		'fields CITY, creatd_t. Names are case-sensitive: did you mean city, created_at?',
	],
	[['no', 'names_of', 'constructor'], 'fields no, names_of, constructor.'],
])('of the fields %j, it is said which no record has: %s', (fields, told) => {
	const expected = told === undefined ? [] : [`No record has the ${told}`];
	expect(hintsAfter(fields, [{ id: 1 }], [company])).toEqual(expected);
});

it('a field that one record of many has is not missing, and its name is not guessed from all', () => {
	const many = Array.from({ length: 1_000 }, (_none, id) => ({ id }));
	const last = [...many, { id: 1_000, name: 'x', city: 'y' }];
	expect(hintsAfter(['id', 'name'], many, last)).toEqual([]);
	expect(hintsAfter(['Name'], many, last)).toEqual(['No record has the field Name.']);
});

it('nothing is said without fields to keep, and without records', () => {
	expect(hintsAfter(undefined, [company])).toEqual([]);
	expect(hintsAfter(['Name'], [])).toEqual([]);
});

it('not more names are remembered than a person could mean', () => {
	const wide = Object.fromEntries(Array.from({ length: 600 }, (_none, index) => [`f${index}`, 1]));
	expect(hintsAfter(['F499'], [wide])).toEqual([expect.stringContaining('did you mean f499?')]);
	expect(hintsAfter(['F599'], [wide])).toEqual([expect.stringContaining('Did you mean f')]);
});
