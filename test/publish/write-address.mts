/** `npm run publish:address`: writes the address of test/publish/address.json into every file that names it. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFolder } from '../n8n/paths.mts';
import { addressInManifest, readAddress, replaceAddress } from './address.mts';
import { trackedTexts } from './project.mts';

const from = await addressInManifest();
const to = await readAddress();

/** A person's name may be an ordinary word, so it is not looked for everywhere. */
const withAuthor = ['package.json', 'LICENSE.md'];

for (const [file, text] of await trackedTexts(':!test/publish/address.json')) {
	const authorName = withAuthor.includes(file) ? to.authorName : from.authorName;
	const changed = replaceAddress(text, from, { ...to, authorName });
	if (changed === text) continue;
	await writeFile(path.join(repositoryFolder, file), changed);
	console.log(`${file} has the address now.`);
}
