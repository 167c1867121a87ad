import { createRequire } from 'node:module';
import path from 'node:path';
import type { INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { repositoryFolder } from '../n8n/paths.mts';
import { unmet } from './finding.mts';
import type { Check, Finding } from './finding.mts';
import { readJson } from './project.mts';
import type { Manifest } from './project.mts';
import { isSentenceCase, isTitleCase } from './wording.mts';

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

/** A parameter, a choice of one, or a group of parameters: all that the panel shows. */
type Shown = Partial<Omit<INodeProperties, 'options' | 'modes'>> & {
	action?: string;
	values?: Shown[];
	options?: Shown[];
	modes?: Shown[];
};

/** What n8n's lint cannot see: the panels as they are built, against n8n's UX guidelines, and the codex files. */
export const nodeChecks: Check[] = [
	{ name: "The nodes' panels follow n8n's UX guidelines", find: findInNodes },
	{ name: 'Every node has its codex file', find: findInCodexFiles },
];

async function builtNodes(): Promise<[file: string, description: INodeTypeDescription][]> {
	const load = createRequire(import.meta.url);
	const { n8n } = await readJson<Manifest>('package.json');
	return (n8n?.nodes ?? []).map((file) => {
		const built = load(path.join(repositoryFolder, file)) as Record<string, new () => INodeType>;
		return [file, new built[path.basename(file, '.node.js')]().description];
	});
}

async function findInNodes(): Promise<Finding[]> {
	return (await builtNodes()).flatMap(([, node]) => [
		...unmet({
			[`${node.displayName}: Title Case`]: isTitleCase(node.displayName),
			[`${node.displayName}: description in sentence case`]: isSentenceCase(node.description),
		}),
		...everythingShown(node.properties as Shown[]).flatMap(findInShown),
	]);
}

/** A parameter and all that is inside it. */
function everythingShown(list: Shown[]): Shown[] {
	return list.flatMap((each) => [
		each,
		...everythingShown([...(each.options ?? []), ...(each.values ?? []), ...(each.modes ?? [])]),
	]);
}

function findInShown(shown: Shown): Finding[] {
	const { displayName, name = '', description = '', placeholder = '', type, modes } = shown;
	const label = displayName ?? name;
	// n8n shows a notice's label as its text.
	const isText = type === 'notice' || type === 'callout';
	const isGroup =
		type === 'collection' || type === 'fixedCollection' || type === 'assignmentCollection';
	const hasList = modes?.some((mode) => mode.name === 'list') ?? false;
	return unmet({
		[`"${label}": label in Title Case`]:
			isText || displayName === undefined || isTitleCase(displayName),
		[`"${label}": description in sentence case`]: isText || isSentenceCase(description),
		[`"${label}": a switch's description starts with "Whether"`]:
			type !== 'boolean' || description.startsWith('Whether '),
		[`"${label}": placeholder "${placeholder}" starts with "e.g."`]:
			isGroup || placeholder === '' || placeholder.startsWith('e.g. '),
		[`"${label}": the list is what a resource locator starts with`]:
			!hasList || (shown.default as { mode?: string } | undefined)?.mode === 'list',
	});
}

async function findInCodexFiles(): Promise<Finding[]> {
	const { name, homepage = '' } = await readJson<Manifest>('package.json');
	const findings: Finding[] = [];
	for (const [file, node] of await builtNodes()) {
		const codexFile = file.replace(/\.js$/, '.json');
		const codex = await readJson<{
			node: string;
			nodeVersion: string;
			codexVersion: string;
			categories: string[];
			resources: Record<'primaryDocumentation' | 'credentialDocumentation', { url: string }[]>;
		}>(codexFile);
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
