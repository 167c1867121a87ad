import { afterAll, expect, test } from 'vitest';
import { startService } from '../engine/shared/client/small-service.mts';
import { closeHarness, runNode } from '../engine/harness/harness.mts';
import { openedWith } from './spreadsheet-program.mts';

/** A record as the service returns it, and the cells that a spreadsheet program must show with any locale. */
const record = `{"id":1,"name":"Müller; \\"Söhne\\", 東","price":-12.50,"tiny":0.001,"big":1.234e3,
"text":"-7.50","comma":"3,5","phone":"+49 (30) 1234-5","sign":"-","formula":"=1+1","tags":[1.5]}`;
const cells = {
	...{ id: 1, name: 'Müller; "Söhne", 東', price: -12.5, tiny: 0.001, big: 1234 },
	...{ phone: '+49 (30) 1234-5', sign: '-', formula: "'=1+1", tags: '[1.5]' },
};

afterAll(closeHarness);

async function exportedFile(csvFormat: string): Promise<Buffer> {
	const { url: baseUrl } = await startService((_request, response) => {
		const meta = '{"pagination":{"page":1,"page_size":100,"total":1}}';
		response.end(`{"success":true,"data":{"items":[${record}]},"meta":${meta}}`);
	});
	const run = await runNode({
		parameters: { resource: 'company', outputAs: 'csv', csvFormat },
		credential: { baseUrl, apiKey: 'fake-key-for-a-spreadsheet' },
	});
	return await run.binary(run.outputs[0][0]);
}

// LibreOffice filter options: separator, quote, UTF-8, first line, locale (US or Germany), and detection of numbers as
// in Excel. Text that looks like a number in the locale becomes a number, because CSV has no types.
test.each([
	['excel', 'CSV:44,34,76,1,,1033,false,true', { text: -7.5, comma: '3,5' }],
	['excelDecimalComma', 'CSV:59,34,76,1,,1031,false,true', { text: '-7.50', comma: 3.5 }],
])(
	'writes numbers in the CSV format "%s" so that a spreadsheet program reads them as numbers',
	async (csvFormat, filter, own) => {
		const found = await openedWith(filter, await exportedFile(csvFormat));
		const row = found.splice(found.length / 2);
		const byName = Object.fromEntries(found.map((name, column) => [name, row[column]]));
		expect(byName).toEqual({ ...cells, ...own });
	},
);
