import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findInFolder } from '../../tools/publish/check-tarball.mts';

const icons = ['dist/icons/light.svg', 'dist/icons/light.dark.svg'];
const node = 'dist/nodes/Example/Example.node.js';
const code =
	'require("n8n-workflow"); icon = { light: "file:../../icons/light.svg", dark: "file:../../icons/light.dark.svg" }';

/** Writes these files into a folder, as an unpacked package. Returns the problems that the check finds in it. */
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
	['accepts a package whose node has a light and a dark icon', { ...withIcons, [node]: code }, []],
	[
		'rejects a package that requires a module that n8n does not provide',
		{ ...withIcons, [node]: `${code}; require("p-limit")` },
		[`${node}: only modules that n8n provides (p-limit)`],
	],
	[
		'rejects a package that lacks the dark icon of its node',
		{ [icons[0]]: '<svg/>', [node]: code },
		[`${node}: a light and a dark icon in the package`],
	],
	[
		'rejects a package whose node names no icon',
		{ ...withIcons, [node]: 'require("luxon")' },
		[`${node}: a light and a dark icon in the package`],
	],
])('%s', async (_name, files, expected) => {
	expect(await findingsOf(files)).toEqual(expected);
});
