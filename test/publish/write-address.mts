/** `npm run publish:address`: writes the address of test/publish/address.json into every file that names it. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFolder } from '../n8n/paths.mts';
import { addressInManifest, readAddress, replaceAddress, writtenAddress } from './address.mts';
import { readJson, trackedTexts } from './project.mts';
import type { Manifest } from './project.mts';

const from = addressInManifest(await readJson<Manifest>('package.json'));
const to = writtenAddress(await readAddress());

/** A person's name may be an ordinary word, so it is not looked for everywhere. */
const withAuthor = ['package.json', 'LICENSE.md'];

let written = 0;
for (const [file, text] of await trackedTexts(':!test/publish/address.json')) {
	const authorName = withAuthor.includes(file) ? to.authorName : from.authorName;
	const changed = replaceAddress(text, from, { ...to, authorName });
	if (changed === text) continue;
	await writeFile(path.join(repositoryFolder, file), changed);
	console.log(file);
	written += 1;
}
console.log(written === 0 ? 'Every file has this address already.' : `${written} files written.`);
