import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { ExplainedError } from './errors.mts';

/**
 * Opens a file in LibreOffice with an import filter. Returns the value of each cell: a number for a numeric cell,
 * otherwise text.
 */
export async function openedWith(filter: string, file: Buffer): Promise<Array<string | number>> {
	const folder = await mkdtemp(path.join(tmpdir(), 'excel-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	await writeFile(path.join(folder, 'opened.csv'), file);
	const settings = [`-env:UserInstallation=file://${folder}/profile`, `--infilter=${filter}`];
	const conversion = [
		'--headless',
		'--convert-to',
		'fods',
		'--outdir',
		folder,
		`${folder}/opened.csv`,
	];
	await execa('soffice', [...settings, ...conversion], { timeout: 60_000 }).catch((error) => {
		throw new ExplainedError(
			`LibreOffice opens the files here. On Debian or Ubuntu: apt-get install -y --no-install-recommends libreoffice-calc-nogui\n${String(error)}`,
		);
	});
	const opened = await readFile(path.join(folder, 'opened.fods'), 'utf8');
	const found = opened.matchAll(/<table:table-cell([^>]*)>\s*<text:p>(.*?)<\/text:p>/g);
	return [...found].map(([, attributes, text]) => {
		const number = /office:value-type="float" office:value="([^"]*)"/.exec(attributes)?.[1];
		return number ? Number(number) : text.replaceAll('&quot;', '"').replaceAll('&apos;', "'");
	});
}
