import {
	optionalText,
	choiceOf,
	trueOrFalse,
	wholeNumber,
	type GetParameter,
} from '../../common/panel/parameters';
import { checkFileName } from './file-name';
import { csvFormat, DEFAULT_RECORDS_PER_FILE } from './properties';

/** Files for Excel begin with a byte order mark, by which it recognises UTF-8. */
const CSV_FORMATS = {
	comma: { delimiter: ',', decimalSign: '.', isForExcel: false },
	tab: { delimiter: '\t', decimalSign: '.', isForExcel: false },
	excel: { delimiter: ',', decimalSign: '.', isForExcel: true },
	excelDecimalComma: { delimiter: ';', decimalSign: ',', isForExcel: true },
} as const;

/** What an export to files was asked for. */
export type FileParameters = NonNullable<ReturnType<typeof readFileParameters>>;

/** The options of an export to files; undefined where Output As is something else. Throws InputProblem. */
export function readFileParameters(
	get: GetParameter,
	options: Record<string, unknown>,
	outputAs: string,
) {
	if (outputAs !== 'ndjson' && outputAs !== 'csv') return undefined;
	const { recordsPerFile = DEFAULT_RECORDS_PER_FILE } = options;
	const fileName = optionalText(options.fileName, 'File Name');
	return {
		kind: outputAs,
		recordsPerFile: wholeNumber(recordsPerFile, 'Records per File', 1),
		fileName: fileName && checkFileName(fileName),
		escapeFormulas: trueOrFalse(options.escapeFormulas, 'Escape Formulas', true),
		...CSV_FORMATS[outputAs === 'csv' ? choiceOf(get, csvFormat) : csvFormat.default],
	};
}
