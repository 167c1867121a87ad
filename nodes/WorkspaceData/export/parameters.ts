import { InputProblem } from '../../common/errors/node-errors';
import {
	optionalText,
	readChoice,
	shown,
	trueOrFalse,
	wholeNumber,
} from '../../common/panel/parameters';
import { checkFileName } from './file-name';
import {
	csvFormatOption,
	DEFAULT_BINARY_PROPERTY,
	DEFAULT_RECORDS_PER_FILE,
	lineEndOption,
} from './properties';

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
	const { recordsPerFile = DEFAULT_RECORDS_PER_FILE } = options;
	const { binaryPropertyName = DEFAULT_BINARY_PROPERTY } = options;
	const fileName = optionalText(options.fileName, 'File Name');
	return {
		kind: outputAs,
		recordsPerFile: wholeNumber(recordsPerFile, 'Records per File', 1),
		fileName: fileName && checkFileName(fileName),
		binaryPropertyName: readFieldName(binaryPropertyName),
		escapeFormulas: trueOrFalse(options.escapeFormulas, 'Escape Formulas', true),
		...CSV_FORMATS[readChoice(options.csvFormat, csvFormatOption)],
		lineEnd: LINE_ENDS[readChoice(options.lineEnd, lineEndOption)],
	};
}

function readFieldName(value: unknown): string {
	const name = optionalText(value, 'Put Output File in Field');
	if (name !== undefined) return name;
	throw new InputProblem(
		"'Put Output File in Field' must be the name of a field",
		`Write for example: ${DEFAULT_BINARY_PROPERTY}. It is ${shown(value)} now.`,
	);
}
