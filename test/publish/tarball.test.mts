import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findInFolder } from '../../tools/publish/check-tarball.mts';

const icons = ['dist/icons/light.svg', 'dist/icons/light.dark.svg'];
const node = 'dist/nodes/Example/Example.node.js';
const code =
	'require("n8n-workflow"); icon = { light: "file:../../icons/light.svg", dark: "file:../../icons/light.dark.svg" }';

/** Writes an unpacked package with these files, and returns the texts of the check's findings. */
async function findingsOf(files: Record<string, string>): Promise<string[]> {
	const folder = await mkdtemp(path.join(tmpdir(), 'tarball-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	for (const [file, text] of Object.entries(files)) {
		await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
		await writeFile(path.join(folder, file), text);
	}
	return (await findInFolder(folder)).map((finding) => finding.text);
}

const withIcons = { [icons[0]]: '<svg/>', [icons[1]]: '<svg/>' };

test.each<[name: string, files: Record<string, string>, expected: string[]]>([
	['accepts a node with its icons', { ...withIcons, [node]: code }, []],
	[
		'refuses a module that n8n does not provide',
		{ ...withIcons, [node]: `${code}; require("p-limit")` },
		[`${node}: only modules that n8n provides (p-limit)`],
	],
	[
		'refuses a package that lacks the dark icon',
		{ [icons[0]]: '<svg/>', [node]: code },
		[`${node}: a light and a dark icon in the package`],
	],
	[
		'refuses a node that names no icon',
		{ ...withIcons, [node]: 'require("luxon")' },
		[`${node}: a light and a dark icon in the package`],
	],
])('%s', async (_name, files, expected) => {
	expect(await findingsOf(files)).toEqual(expected);
});
