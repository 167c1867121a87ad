import { createRequire } from 'node:module';
import path from 'node:path';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { repositoryFolder } from '../n8n/paths.mts';
import { unmet } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { readJson } from './project.mts';
import type { Manifest } from './project.mts';

/** The categories of n8n's documentation for codex files. */
const categories = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];

/** The codex files of the built nodes. What the nodes themselves show is what n8n's lint looks at. */
export const codexChecks: Check[] = [
	{ name: 'Every node has its codex file', find: findInCodexFiles },
];

const load = createRequire(import.meta.url);

async function builtNodes(): Promise<[file: string, description: INodeTypeDescription][]> {
	const { n8n } = await readJson<Manifest>('package.json');
	return (n8n?.nodes ?? []).map((file) => {
		const name = path.basename(file).split('.')[0];
		const exported = load(path.join(repositoryFolder, file)) as Record<string, new () => INodeType>;
		return [file, new exported[name]().description];
	});
}

interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	resources: Record<'primaryDocumentation' | 'credentialDocumentation', { url: string }[]>;
}

async function findInCodexFiles(): Promise<Finding[]> {
	const { name, homepage = '' } = await readJson<Manifest>('package.json');
	const findings: Finding[] = [];
	for (const [file, node] of await builtNodes()) {
		const codexFile = file.replace(/\.js$/, '.json');
		const codex = await readJson<Codex>(codexFile);
		const { primaryDocumentation, credentialDocumentation } = codex.resources;
		const links = [...primaryDocumentation, ...credentialDocumentation].map(({ url }) => url);
		findings.push(
			...unmet({
				[`${codexFile}: node is ${name}.${node.name}`]: codex.node === `${name}.${node.name}`,
				[`${codexFile}: nodeVersion is the node's`]:
					Number(codex.nodeVersion) === [node.version].flat().at(-1),
				[`${codexFile}: codexVersion is 1.0`]: codex.codexVersion === '1.0',
				[`${codexFile}: categories that n8n has`]:
					codex.categories.length > 0 &&
					codex.categories.every((each) => categories.includes(each)),
				[`${codexFile}: links under ${homepage}`]:
					links.length > 1 && links.every((link) => link.startsWith(homepage)),
			}),
		);
	}
	return findings;
}
