import { unmet } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { readJson, readText } from './project.mts';
import type { Manifest } from './project.mts';

/** Scripts that npm runs by itself when somebody installs the package. */
const installScripts = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];

/** What n8n's guidelines ask of package.json and of the license. */
export const packageChecks: Check[] = [
	{ name: 'package.json has what npm, n8n and people need', find: findInManifest },
	{ name: 'The license is MIT', find: findInLicense },
];

async function findInManifest(): Promise<Finding[]> {
	const manifest = await readJson<Manifest>('package.json');
	const { n8n, scripts = {}, keywords = [], description = '', author, bugs } = manifest;
	return unmet({
		'name: n8n-nodes-… or @scope/n8n-nodes-…': /^(@[\w.-]+\/)?n8n-nodes-[\w.-]+$/.test(
			manifest.name,
		),
		'version: three numbers': /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(manifest.version),
		'description: 20 to 200 characters': description.length >= 20 && description.length <= 200,
		'keywords: n8n-community-node-package, and words to be found by':
			keywords.includes('n8n-community-node-package') && keywords.length > 4,
		'author: name and e-mail address': Boolean(author?.name && author.email?.includes('@')),
		'homepage and bugs': Boolean(manifest.homepage && bugs?.url),
		'repository: git': manifest.repository?.type === 'git' && Boolean(manifest.repository.url),
		'n8n.strict and n8n.n8nNodesApiVersion': n8n?.strict === true && n8n.n8nNodesApiVersion === 1,
		'n8n.nodes and n8n.credentials':
			(n8n?.nodes.length ?? 0) > 0 && (n8n?.credentials.length ?? 0) > 0,
		'dependencies: none': Object.keys(manifest.dependencies ?? {}).length === 0,
		'overrides: none': manifest.overrides === undefined,
		'peerDependencies: n8n-workflow in any version, nothing else':
			JSON.stringify(manifest.peerDependencies) === '{"n8n-workflow":"*"}',
		'scripts: none that runs when the package is installed': installScripts.every(
			(name) => scripts[name] === undefined,
		),
		'scripts.release: n8n-node release': scripts.release === 'n8n-node release',
		'scripts.prepublishOnly: n8n-node prerelease, which refuses a bare npm publish':
			scripts.prepublishOnly === 'n8n-node prerelease',
		'files: only what is built': (manifest.files ?? []).every((file) => file.startsWith('dist')),
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
