import { expect, it } from 'vitest';

import { fieldsOf, readFields } from '../../../nodes/common/fields.ts';

it('names every field of a sample, with its type and the first value there is', () => {
	const records = [
		{ id: 'c-1', name: '', owner: null, tags: [] },
		{ id: 'c-2', name: 'Acme', revenue: 12.5, owner: { name: 'Ada' }, active: false },
		{ id: 'c-3', name: 'Other', late: null },
	];
	expect(fieldsOf(records)).toEqual([
		{ name: 'id', value: 'id', description: 'text, e.g. "c-1"' },
		{ name: 'name', value: 'name', description: 'text, e.g. "Acme"' },
		{ name: 'owner', value: 'owner', description: 'object, e.g. {"name":"Ada"}' },
		{ name: 'tags', value: 'tags', description: 'list, e.g. []' },
		{ name: 'revenue', value: 'revenue', description: 'number, e.g. 12.5' },
		{ name: 'active', value: 'active', description: 'boolean, e.g. false' },
		{ name: 'late', value: 'late', description: 'Empty in the records looked at' },
	]);
	expect(fieldsOf([])).toEqual([]);
});

it('reads names, trimmed and each once, with the id among them, and refuses what is none', () => {
	expect(readFields(' name,id, , name')).toEqual(['name', 'id']);
	expect(readFields(' , ')).toBeUndefined();
	expect(() => readFields(['name', 5])).toThrow(/^'Field Names or IDs' must be names/);
});
