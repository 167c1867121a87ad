import { InputProblem } from '../../common/errors';
import { checkFileName } from './file-name';
import type { CsvOptions } from './csv';
import { oneOf, optionalText, shown, trueOrFalse, wholeNumber } from '../../common/parameters';

/** Records in one file of an export, unless the user says otherwise. */
export const DEFAULT_RECORDS_PER_FILE = 50_000;
/** The field of an item's binary data that an export's file goes into, unless the user says otherwise. */
export const DEFAULT_BINARY_PROPERTY = 'data';

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const;
const LINE_ENDS = { crlf: '\r\n', lf: '\n' } as const;

/** The checked options of a list that is exported to files. */
export interface FileParameters extends Omit<CsvOptions, 'fields'> {
	kind: 'ndjson' | 'csv';
	recordsPerFile: number;
	/** What the user chose; undefined names the files after the records. */
	fileName?: string;
	binaryPropertyName: string;
}

/**
 * Reads and checks the options of an export to files.
 *
 * @throws InputProblem naming the option and the fix
 */
export function readFileParameters(
	options: Record<string, unknown>,
	kind: 'ndjson' | 'csv',
): FileParameters {
	const most = options.recordsPerFile ?? DEFAULT_RECORDS_PER_FILE;
	return {
		kind,
		recordsPerFile: wholeNumber(most, 'Records per File', 1),
		fileName: readFileName(options.fileName),
		binaryPropertyName: readBinaryPropertyName(options.binaryPropertyName),
		escapeFormulas: trueOrFalse(options.escapeFormulas, 'Escape Formulas', true),
		byteOrderMark: trueOrFalse(options.byteOrderMark, 'Byte Order Mark', false),
		delimiter: oneKeyOf(DELIMITERS, options.delimiter ?? 'comma', 'Delimiter'),
		lineEnd: oneKeyOf(LINE_ENDS, options.lineEnd ?? 'crlf', 'Line End'),
	};
}

function oneKeyOf<T>(values: Record<string, T>, value: unknown, label: string): T {
	return values[oneOf(value, label, Object.keys(values))];
}

function readFileName(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value !== 'string') {
		throw new InputProblem(
			'File Name must be text',
			`Write for example: companies.csv. It is ${shown(value)} now.`,
		);
	}
	const name = optionalText(value, 'File Name');
	return name === undefined ? undefined : checkFileName(name);
}

function readBinaryPropertyName(value: unknown): string {
	const name =
		value === undefined ? DEFAULT_BINARY_PROPERTY : optionalText(value, 'Binary Property Name');
	if (name === undefined) {
		throw new InputProblem(
			'Put Output File in Field must be the name of a field',
			`Write for example: ${DEFAULT_BINARY_PROPERTY}. It is ${shown(value)} now.`,
		);
	}
	return name;
}
