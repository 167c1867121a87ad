import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../engine/client/small-service.mts';
import { closeHarness, runNode } from '../engine/harness/harness.mts';
import { ExplainedError } from './errors.mts';

/** One record as the service sends it, and what a spreadsheet must hold, where the locale does not change it. */
const record = `{"id":1,"name":"Müller; \\"Söhne\\", 東","price":-12.50,"tiny":0.001,"big":1.234e3,
"text":"-7.50","comma":"3,5","phone":"+49 (30) 1234-5","sign":"-","formula":"=1+1","tags":[1.5]}`;
const cells = {
	...{ id: 1, name: 'Müller; "Söhne", 東', price: -12.5, tiny: 0.001, big: 1234 },
	...{ phone: '+49 (30) 1234-5', sign: '-', formula: "'=1+1", tags: '[1.5]' },
};

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'excel-'));
});
afterAll(async () => {
	await closeHarness();
	await rm(folder, { recursive: true, force: true });
});

async function exportedFile(csvFormat: string): Promise<Buffer> {
	const { url } = await startService((_request, response) => {
		const meta = '{"pagination":{"page":1,"page_size":100,"total":1}}';
		response.end(`{"success":true,"data":{"items":[${record}]},"meta":${meta}}`);
	});
	const run = await runNode({
		parameters: {
			...{ resource: 'company', operation: 'getAll', returnAll: true, outputAs: 'csv' },
			options: { csvFormat },
		},
		credential: { baseUrl: url, apiVersion: 'v2', apiKey: 'fake-key-for-a-spreadsheet' },
	});
	return await run.binary(run.outputs[0][0]);
}

/** The cells as LibreOffice reads them where Windows or macOS has this locale: numbers, and text for all else. */
async function openedBy(
	locale: string,
	file: Buffer,
	separator: string,
): Promise<Array<string | number>> {
	const profile = path.join(folder, locale);
	await mkdir(path.join(profile, 'user'), { recursive: true });
	await writeFile(
		path.join(profile, 'user/registrymodifications.xcu'),
		`<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item></oor:items>`,
	);
	await writeFile(path.join(folder, `${locale}.csv`), file);
	// Its separator, quotes, UTF-8, from the first line, the profile's language, and numbers recognised as by Excel.
	const filter = `CSV:${separator.charCodeAt(0)},34,76,1,,0,false,true`;
	await execa(
		'soffice',
		[
			...[`-env:UserInstallation=file://${profile}`, '--headless', `--infilter=${filter}`],
			...['--convert-to', 'fods', '--outdir', folder, path.join(folder, `${locale}.csv`)],
		],
		{ timeout: 60_000 },
	).catch((error: unknown) => {
		throw new ExplainedError(
			`LibreOffice opens the files here. On Debian or Ubuntu: apt-get install -y --no-install-recommends libreoffice-calc-nogui\n${String(error)}`,
		);
	});
	const opened = await readFile(path.join(folder, `${locale}.fods`), 'utf8');
	const found = opened.matchAll(/<table:table-cell([^>]*)>\s*<text:p>(.*?)<\/text:p>/g);
	return [...found].map(([, attributes, text]) => {
		const number = /office:value-type="float" office:value="([^"]*)"/.exec(attributes)?.[1];
		return number === undefined
			? text.replaceAll('&quot;', '"').replaceAll('&apos;', "'")
			: Number(number);
	});
}

test.each([
	// Text that is a number in the locale is one in a spreadsheet: CSV cannot tell them apart.
	['excel', 'en-US', ',', { text: -7.5, comma: '3,5' }],
	['excelDecimalComma', 'de-DE', ';', { text: '-7.50', comma: 3.5 }],
])(
	'%s opens in a spreadsheet of %s: numbers are numbers',
	async (format, locale, separator, own) => {
		const found = await openedBy(locale, await exportedFile(format), separator);
		const width = found.length / 2;
		const row = Object.fromEntries(
			found.slice(0, width).map((name, column) => [name, found[width + column]]),
		);
		expect(row).toEqual({ ...cells, ...own });
	},
);
