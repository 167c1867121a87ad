import type { CsvOptions } from '../../../../nodes/WorkspaceData/export/csv.ts';

/** CSV options that change nothing for spreadsheet programs. */
export const plainCsv = {
	escapeFormulas: false,
	isForExcel: false,
	delimiter: ',',
	decimalSign: '.',
} as const satisfies CsvOptions;
