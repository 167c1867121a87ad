import { unmet } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { readJson, readText } from './project.mts';
import type { Manifest } from './project.mts';

/** What is asked of package.json and of the license besides n8n's lint and scan, which look at the rest. */
export const packageChecks: Check[] = [
	{ name: 'package.json has what people need, and the scripts of a release', find: findInManifest },
	{ name: 'The license is MIT', find: findInLicense },
];

async function findInManifest(): Promise<Finding[]> {
	const {
		n8n,
		scripts = {},
		keywords = [],
		...manifest
	} = await readJson<Manifest>('package.json');
	const { description = '', bugs, files = [] } = manifest;
	return unmet({
		'description: 20 to 200 characters': description.length >= 20 && description.length <= 200,
		'keywords: words to be found by': keywords.length > 4,
		bugs: Boolean(bugs?.url),
		'n8n.strict': n8n?.strict === true,
		'scripts.release: n8n-node release': scripts.release === 'n8n-node release',
		'scripts.prepublishOnly: n8n-node prerelease, which refuses a bare npm publish':
			scripts.prepublishOnly === 'n8n-node prerelease',
		'files: only what is built': files.every((file) => file.startsWith('dist')),
	});
}

async function findInLicense(): Promise<Finding[]> {
	const { license } = await readJson<Manifest>('package.json');
	const text = await readText('LICENSE.md');
	return unmet({
		'package.json: "license": "MIT"': license === 'MIT',
		'LICENSE.md: the text of the MIT license':
			/MIT License/i.test(text) && text.includes('Permission is hereby granted, free of charge'),
	});
}
