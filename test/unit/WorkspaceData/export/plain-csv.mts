import type { CsvOptions } from '../../../../nodes/WorkspaceData/export/csv.ts';

/** CSV as it is without any choice for a spreadsheet. */
export const plainCsv = {
	escapeFormulas: false,
	isForExcel: false,
	delimiter: ',',
	decimalSign: '.',
} as const satisfies CsvOptions;
