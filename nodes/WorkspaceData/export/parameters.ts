import { InputProblem } from '../../common/errors/node-errors';
import {
	oneOf,
	optionalText,
	shown,
	trueOrFalse,
	wholeNumber,
} from '../../common/panel/parameters';
import { checkFileName } from './file-name';

export const DEFAULT_RECORDS_PER_FILE = 50_000;
export const DEFAULT_BINARY_PROPERTY = 'data';

/** Files for Excel begin with a byte order mark, by which it recognises UTF-8. */
const CSV_FORMATS = {
	comma: { delimiter: ',', decimalSign: '.', isForExcel: false },
	tab: { delimiter: '\t', decimalSign: '.', isForExcel: false },
	excel: { delimiter: ',', decimalSign: '.', isForExcel: true },
	excelDecimalComma: { delimiter: ';', decimalSign: ',', isForExcel: true },
} as const;
const LINE_ENDS = { crlf: '\r\n', lf: '\n' } as const;

/** What an export to files was asked for. */
export type FileParameters = NonNullable<ReturnType<typeof readFileParameters>>;

/** The options of an export to files; undefined where Output As is something else. Throws InputProblem. */
export function readFileParameters(options: Record<string, unknown>, outputAs: string) {
	if (outputAs !== 'ndjson' && outputAs !== 'csv') return undefined;
	const most = options.recordsPerFile ?? DEFAULT_RECORDS_PER_FILE;
	const fileName = optionalText(options.fileName, 'File Name');
	return {
		kind: outputAs,
		recordsPerFile: wholeNumber(most, 'Records per File', 1),
		fileName: fileName && checkFileName(fileName),
		binaryPropertyName: readFieldName(options.binaryPropertyName ?? DEFAULT_BINARY_PROPERTY),
		escapeFormulas: trueOrFalse(options.escapeFormulas, 'Escape Formulas', true),
		...oneKeyOf(CSV_FORMATS, options.csvFormat ?? 'comma', 'CSV Format'),
		lineEnd: oneKeyOf(LINE_ENDS, options.lineEnd ?? 'crlf', 'Line End'),
	};
}

function oneKeyOf<T>(values: Record<string, T>, value: unknown, label: string): T {
	return values[oneOf(value, label, Object.keys(values))];
}

function readFieldName(value: unknown): string {
	const name = optionalText(value, 'Put Output File in Field');
	if (name !== undefined) return name;
	throw new InputProblem(
		"'Put Output File in Field' must be the name of a field",
		`Write for example: ${DEFAULT_BINARY_PROPERTY}. It is ${shown(value)} now.`,
	);
}
