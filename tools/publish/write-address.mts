/** `npm run publish:address -- <website> <e-mail>`: writes the project's address into every file that names it. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFolder } from '../../test/n8n/paths.mts';
import { placeholder } from './address.mts';
import { trackedTexts } from './project.mts';

const [website, email] = process.argv.slice(2);
if (!website?.startsWith('https://') || !email?.includes('@'))
	throw new Error('Write for example: npm run publish:address -- https://a.org/b maintainer@a.org');

for (const [file, text] of await trackedTexts(':!tools/publish')) {
	const changed = text
		.replaceAll(`maintainers@${placeholder}`, email)
		.replaceAll(
			new RegExp(`https://${placeholder}(/n8n-nodes-workspace-data(?=\\.git))?`, 'g'),
			website,
		);
	if (changed === text) continue;
	await writeFile(path.join(repositoryFolder, file), changed);
	console.log(`${file} has the address now.`);
}
