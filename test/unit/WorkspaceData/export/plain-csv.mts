import type { CsvOptions } from '../../../../nodes/WorkspaceData/export/csv.ts';

/** CSV options without any adaptation to spreadsheet programs. */
export const plainCsv = {
	escapeFormulas: false,
	isForExcel: false,
	delimiter: ',',
	decimalSign: '.',
} as const satisfies CsvOptions;
