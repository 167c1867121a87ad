import { describe, expect, test } from 'vitest';
import {
	checkFileName,
	fileNameFrom,
	nameOfPart,
} from '../../../../nodes/WorkspaceData/export/file-name.ts';
import { InputProblem } from '../../../../nodes/common/errors.ts';

describe('names of parts', () => {
	test.each([
		['companies.csv', 1, 'csv', 'companies-0001.csv'],
		['companies.CSV', 12, 'csv', 'companies-0012.CSV'],
		['companies', 1, 'csv', 'companies-0001.csv'],
		['companies 2026-11-20', 3, 'ndjson', 'companies 2026-11-20-0003.ndjson'],
		['export of v1.2', 1, 'csv', 'export of v1.2-0001.csv'],
		['my.export.txt', 10_000, 'csv', 'my.export-10000.txt'],
		['.csv', 1, 'csv', '.csv-0001.csv'],
		['東京', 1, 'ndjson', '東京-0001.ndjson'],
	])('%s, part %i', (name, part, extension, expected) => {
		expect(nameOfPart(name, part, extension)).toBe(expected);
	});
});

describe('file names of the user', () => {
	test.each(['companies.csv', 'Ünïcode 東京 (1).ndjson', "it's.csv"])('%s is taken', (name) => {
		expect(checkFileName(name)).toBe(name);
	});

	test.each(['a/b.csv', '../x', 'a\\b', 'a:b', 'a*', 'a?', 'a"b', '<a>', 'a|b', 'a\nb', 'a\u0000'])(
		'%j is refused by name',
		(name) => {
			expect(() => checkFileName(name)).toThrow(InputProblem);
			expect(() => checkFileName(name)).toThrow(/^File Name has a character/);
		},
	);

	test.each(['.', '..', 'x'.repeat(201)])('%s is refused', (name) => {
		expect(() => checkFileName(name)).toThrow(/File Name must be a name of at most 200/);
	});
});

test('an object type becomes a file name without characters that files cannot have', () => {
	expect(fileNameFrom('custom/object:x')).toBe('custom_object_x');
});
