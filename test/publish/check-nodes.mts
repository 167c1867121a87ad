import { createRequire } from 'node:module';
import path from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';
import { titleCase } from 'title-case';
import { repositoryFolder } from '../n8n/paths.mts';
import { readJson, readManifest, unmet } from './project.mts';
import type { Check, Finding } from './project.mts';

/** The categories of n8n's documentation for codex files. */
const categories =
	/^(Analytics|Communication|Data & Storage|Development|Finance & Accounting|Marketing & Content|Miscellaneous|Productivity|Sales|Utility)$/;

/** A parameter, a choice of one, or a group of parameters: all that the panel shows. */
type Shown = Partial<Omit<INodeProperties, 'options' | 'modes'>> & {
	values?: Shown[];
	options?: Shown[];
	modes?: Shown[];
};

/** What n8n's lint cannot see: the panels as they are built, against n8n's UX guidelines, and the codex files. */
export const nodeChecks: Check[] = [
	{ name: "The nodes' panels follow n8n's UX guidelines", find: findInNodes },
	{ name: 'Every node has its codex file', find: findInCodexFiles },
];

async function builtNodes() {
	const load = createRequire(import.meta.url);
	const { n8n } = await readManifest();
	return (n8n?.nodes ?? []).map((file) => {
		const built = load(path.join(repositoryFolder, file)) as Record<string, new () => INodeType>;
		return { file, node: new built[path.basename(file, '.node.js')]().description };
	});
}

async function findInNodes(): Promise<Finding[]> {
	return (await builtNodes()).flatMap(({ node: { displayName, description, properties } }) =>
		[{ displayName, description }, ...everythingShown(properties as Shown[])].flatMap(findInShown),
	);
}

/** A parameter and all that is inside it. */
function everythingShown(list: Shown[]): Shown[] {
	return list.flatMap((each) => [
		each,
		...everythingShown([...(each.options ?? []), ...(each.values ?? []), ...(each.modes ?? [])]),
	]);
}

/**
 * Whether a text starts like a sentence and does not go on like a title. Names and abbreviations keep their capitals,
 * so only a text in which most later words have one counts as a title.
 */
function isSentenceCase(text: string): boolean {
	const [first = '', ...rest] = text.match(/(?<=^|\s)\p{L}+/gu) ?? [];
	const capitals = rest.filter((word) => /^\p{Lu}/u.test(word));
	return !/^\p{Ll}/u.test(first) && (rest.length < 2 || capitals.length <= rest.length / 2);
}

function findInShown(shown: Shown): Finding[] {
	const { displayName, name = '', description = '', placeholder = '', type = '' } = shown;
	const label = displayName ?? name;
	// n8n shows a notice's label as its text.
	const isText = type === 'notice' || type === 'callout';
	const hasList = shown.modes?.some((mode) => mode.name === 'list') ?? false;
	return unmet({
		[`"${label}": label in Title Case`]:
			isText || displayName === undefined || titleCase(displayName) === displayName,
		[`"${label}": description in sentence case`]: isText || isSentenceCase(description),
		[`"${label}": a switch's description starts with "Whether"`]:
			type !== 'boolean' || description.startsWith('Whether '),
		[`"${label}": placeholder "${placeholder}" starts with "e.g."`]:
			/collection/i.test(type) || placeholder === '' || placeholder.startsWith('e.g. '),
		[`"${label}": the list is what a resource locator starts with`]:
			!hasList || (shown.default as { mode?: string } | undefined)?.mode === 'list',
	});
}

/** What a codex file says. */
interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	resources: Record<'primaryDocumentation' | 'credentialDocumentation', { url: string }[]>;
}

async function findInCodexFiles(): Promise<Finding[]> {
	const { name, homepage = '' } = await readManifest();
	const findings = (await builtNodes()).map(async ({ file, node }) => {
		const codexFile = file.replace(/\.js$/, '.json');
		const codex = await readJson<Codex>(codexFile);
		const links = Object.values(codex.resources).flat();
		return unmet({
			[`${codexFile}: node is ${name}.${node.name}`]: codex.node === `${name}.${node.name}`,
			[`${codexFile}: nodeVersion is the node's`]:
				Number(codex.nodeVersion) === [node.version].flat().at(-1),
			[`${codexFile}: codexVersion is 1.0`]: codex.codexVersion === '1.0',
			[`${codexFile}: categories that n8n has`]:
				codex.categories.length > 0 && codex.categories.every((each) => categories.test(each)),
			[`${codexFile}: links under ${homepage}`]:
				links.length > 1 && links.every(({ url }) => url.startsWith(homepage)),
		});
	});
	return (await Promise.all(findings)).flat();
}
