import { describe, expect, test } from 'vitest';
import {
	checkFileName,
	fileNameFrom,
	namesOfParts,
} from '../../../../nodes/WorkspaceData/export/file-name.ts';
import { problemOf } from '../parameters-support.mts';

test.each([
	['companies.csv', 1, 'csv', 'companies-0001.csv'],
	['companies.CSV', 12, 'csv', 'companies-0012.CSV'],
	['companies', 1, 'csv', 'companies-0001.csv'],
	['to.be 2026-11-20', 3, 'ndjson', 'to.be 2026-11-20-0003.ndjson'],
	['export of v1.2', 1, 'csv', 'export of v1.2-0001.csv'],
	['my.export.txt', 10_000, 'csv', 'my.export-10000.txt'],
	['a.tsv', 1, 'csv', 'a-0001.tsv'],
	['a.jsonl', 1, 'ndjson', 'a-0001.jsonl'],
	['a.JSON', 1, 'ndjson', 'a-0001.JSON'],
	['a.xml', 1, 'xml', 'a-0001.xml'],
	['Dr.Who', 1, 'csv', 'Dr.Who-0001.csv'],
	['shop.example', 1, 'ndjson', 'shop.example-0001.ndjson'],
	['a.csv.gz', 1, 'csv', 'a.csv.gz-0001.csv'],
	['.csv', 1, 'csv', '.csv-0001.csv'],
	['東京', 1, 'ndjson', '東京-0001.ndjson'],
])('adds the part number to the file name: %s, part %i', (name, part, extension, expected) => {
	expect(namesOfParts(name, extension, new Set())(part)).toBe(expected);
});

describe('file names of the user', () => {
	test.each(['Ünïcode 東京 (1).ndjson', 'xlsx', 'of my.xlsx.csv', "it's.csv", 'x'.repeat(200)])(
		'accepts the file name %s',
		(name) => {
			expect(checkFileName(name)).toBe(name);
		},
	);

	const forbidden = [...'/\\:*?"<>|\n\0\x7f'].map((letter) => `a${letter}b`);
	test.each([...forbidden, '.', '..', 'x'.repeat(201)])('rejects the file name %j', (name) => {
		const { message } = problemOf(() => checkFileName(name));
		expect(message).toMatch(/^'File Name' must have at most 200 characters, and none of "/);
	});
});

test.each(['companies.xlsx', 'a.XLS', 'a.xlsm', 'a.xlsb'])(
	'rejects the file name %s and explains how to create an Excel workbook',
	(name) => {
		const { message, description } = problemOf(() => checkFileName(name));
		expect(message).toBe("'File Name' names an Excel workbook, which this node does not write");
		expect(description).toContain('Convert to File');
	},
);

test('gives different names to the files of two input items', () => {
	const used = new Set<string>();
	const name = 'custom_company-2026-11-24T08-10-00.500Z';
	const names = [1, 2].map(() => namesOfParts(name, 'csv', used)(1));
	expect(names).toEqual([
		'custom_company-2026-11-24T08-10-00.500Z-0001.csv',
		'custom_company-2026-11-24T08-10-00.500Z-2-0001.csv',
	]);
});

test.each([
	['companies.csv', 1, 'companies-0001.csv'],
	['companies.csv', 2, 'companies-run2-0001.csv'],
	['companies', 30, 'companies-run30-0001.csv'],
])(
	'gives different names to the files of each loop round: %s, round %i',
	(name, round, expected) => {
		expect(namesOfParts(name, 'csv', new Set(), round)(1)).toBe(expected);
	},
);

test('replaces characters of an object type that are not allowed in file names, and shortens long names', () => {
	expect(fileNameFrom('custom/object:x'.padEnd(300, 'y'))).toBe('custom_object_x'.padEnd(200, 'y'));
});
