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
	[['Name', 'umsatz'], 'fields Name, umsatz'],
	[['ID'], 'field ID'],
	[['names_of', 'constructor'], 'fields names_of, constructor'],
])('of the fields %j, it is said which no record has: %s', (fields, told) => {
	const said = `No record has the ${told}. Names are case-sensitive.`;
	expect(hintsAfter(fields, [{ id: 1 }], [company])).toEqual(told === undefined ? [] : [said]);
});

it('a field that one record of many has is not missing', () => {
	const many = Array.from({ length: 1_000 }, (_none, id) => ({ id }));
	expect(hintsAfter(['id', 'name'], many, [...many, { id: 1_000, name: 'x' }])).toEqual([]);
});

it('nothing is said without fields to keep, and without records', () => {
	expect(hintsAfter(undefined, [company])).toEqual([]);
	expect(hintsAfter(['Name'], [])).toEqual([]);
});
