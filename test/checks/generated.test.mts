import { markdownTable } from 'markdown-table';
import type { INodeType } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';

import {
	titleOf,
	titleOfResource,
	type Operation,
} from '../../nodes/WorkspaceData/operation-row.ts';
import { CREDENTIAL_KINDS, type ApiVersion } from '../../nodes/shared/client/credential.ts';
import { resources, operations } from '../../nodes/WorkspaceData/operations.ts';
import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { WorkspaceDataTrigger } from '../../nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.ts';
import { failuresPage, tableOfFailures } from './failures.mts';
import { root, textOf } from './imports.mts';
import { optionsPage } from './options-page.mts';
import { parametersPage } from './parameters.mts';
import { reasonsOf } from './readme-figures.mts';
import { DEFAULT_RUNS, stepsOfRequest } from './request-path.mts';
import { FAILURE_KINDS, OF_NO_REQUEST, WHAT_HAPPENED } from '../failures.mts';
import { pictureOfRequest } from '../../tools/pictures/request-picture.mts';
import { pictureOfRooms } from '../../tools/pictures/rooms-picture.mts';
import { fivePolls } from '../unit/shared/changes/five-polls.mts';
import { textsPage } from './texts.mts';

// `npm run generate` runs this file with `--update`, which writes the generated files instead of comparing them.
const MESSAGE = 'is out of date: run "npm run generate"';

const { name: packageName, homepage } = JSON.parse(textOf('package.json')) as Record<
	'name' | 'homepage',
	string
>;
const IF_SENT_TWICE = { safe: 'harmless', acts: 'acts twice', billed: 'may be billed twice' };

async function expectFile(name: string, text: string): Promise<void> {
	const filepath = root + name;
	const expected = name.endsWith('.json')
		? await format(text, { ...(await resolveConfig(filepath)), filepath })
		: text;
	await expect(expected, `${name} ${MESSAGE}`).toMatchFileSnapshot(filepath);
}

function requestOf({ endpoints, methods = [] }: Operation, version: ApiVersion): string {
	if (Object.keys(endpoints).length === 0) return 'sends nothing';
	const endpoint = endpoints[version];
	if (endpoint === undefined) return '–';
	const others = methods.filter((method) => method !== endpoint.method);
	const option = others.length === 0 ? '' : ` (option: \`${others.join('`, `')}\`)`;
	return `\`${endpoint.method} ${endpoint.path}\`${option}`;
}

function tableOfOperations(): string {
	const versions = Object.keys(CREDENTIAL_KINDS).toReversed() as ApiVersion[];
	const ofVersions = versions.map(
		(version) => `With a ${version} ${CREDENTIAL_KINDS[version].shortWords.split(' ').at(-1)}`,
	);
	const head = ['Resource', 'Operation', ...ofVersions, 'If sent twice'];
	const sorted = operations.toSorted((a, b) => titleOf(a).localeCompare(titleOf(b)));
	const lines = sorted.map((row) => [
		titleOfResource(row.resource),
		row.name,
		...versions.map((version) => requestOf(row, version)),
		IF_SENT_TWICE[row.repeat],
	]);
	return markdownTable([head, ...lines], { alignDelimiters: false });
}

/** Returns a Markdown list of the resources with the names of their operations. */
function listOfOperations(): string {
	return resources
		.map(({ name, value }) => {
			const names = operations.filter(({ resource }) => resource === value).map((row) => row.name);
			return `- **${name}**: ${names.toSorted().join(', ')}`;
		})
		.join('\n');
}

const BENCHMARKS = 'docs/maintainers/benchmarks.md';

/** Generated parts of Markdown files, by file name. HTML comments mark the start and the end of each part. */
const GENERATED_PARTS: Record<
	string,
	Array<[start: string, end: string, made: () => string | Promise<string>]>
> = {
	'README.md': [
		[
			`reasons: written by npm run generate from ${BENCHMARKS}`,
			'end of reasons',
			() => reasonsOf(textOf(BENCHMARKS)),
		],
		['operations: written by npm run generate', 'end of operations', listOfOperations],
	],
	'docs/maintainers/how-changes-are-followed.md': [
		['five polls: written by npm run generate', 'end of five polls', fivePolls],
	],
	'docs/reliability.md': [
		['failures: written by npm run generate', 'end of failures', tableOfFailures],
	],
	'docs/usage.md': [
		['operations: written by npm run generate', 'end of operations', tableOfOperations],
	],
};

test.each(Object.entries(GENERATED_PARTS))(
	'finds no outdated generated part in the file %s',
	async (name, parts) => {
		let text = textOf(name);
		for (const [start, end, made] of parts) {
			const [before, rest = ''] = text.split(`<!-- ${start} -->`);
			const [, after] = rest.split(`<!-- ${end} -->`);
			if (after === undefined) throw new Error(`${name} lacks the comment "${start}" or "${end}".`);
			text = `${before}<!-- ${start} -->\n\n${await made()}\n\n<!-- ${end} -->${after}`;
		}
		await expectFile(name, text);
	},
);

test('finds no outdated picture in docs/images (rooms.svg and request.svg)', async () => {
	await expectFile('docs/images/rooms.svg', pictureOfRooms());
	const steps = await stepsOfRequest(DEFAULT_RUNS.list);
	await expectFile('docs/images/request.svg', pictureOfRequest(steps));
});

/** Returns the description of a node without parameters and hints, which have their own snapshots. */
function descriptionOf({ description, methods = {} }: INodeType): object {
	const names = Object.values(methods).flatMap((group) => Object.keys(group as object));
	return { ...description, properties: undefined, hints: undefined, methods: names };
}

test('matches the snapshot of the node descriptions', async () => {
	const nodes = [new WorkspaceData(), new WorkspaceDataTrigger()].map(descriptionOf);
	await expectFile('test/checks/snapshots/nodes.json', JSON.stringify(nodes));
});

test('matches the snapshots of all texts and parameters', async () => {
	await expectFile('test/checks/snapshots/texts.md', textsPage());
	await expectFile('test/checks/snapshots/parameters.md', parametersPage());
});

test('lists every parameter and option with its default in docs/options.md', async () => {
	await expectFile('docs/options.md', optionsPage());
});

test('lists every kind of failure in the snapshot failures.md', async () => {
	const named = [...WHAT_HAPPENED.flatMap(([, failures]) => failures), ...OF_NO_REQUEST];
	const missing = FAILURE_KINDS.filter((kind) => !named.some((failure) => failure.kind === kind));
	expect(missing, 'kinds that `WHAT_HAPPENED` in test/failures.mts lacks').toEqual([]);
	await expectFile('test/checks/snapshots/failures.md', failuresPage());
});

/**
 * Expects the codex file of a node to be up to date. It contains the categories, search words and links that n8n shows.
 */
async function expectCodex(
	node: typeof WorkspaceData | typeof WorkspaceDataTrigger,
	section: string,
	more: { alias?: string[] } = {},
): Promise<void> {
	const file = `nodes/${node.name}/${node.name}.node.json`;
	const { name, version } = new node().description;
	const codex = {
		...(JSON.parse(textOf(file)) as object),
		node: `${packageName}.${name}`,
		nodeVersion: `${String(version)}.0`,
		codexVersion: '1.0',
		categories: ['Sales', 'Data & Storage'],
		resources: {
			credentialDocumentation: [{ url: `${homepage}/#credentials` }],
			primaryDocumentation: [{ url: `${homepage}/#${section}` }],
		},
		...more,
	};
	await expectFile(file, JSON.stringify(codex));
}

/** Returns search words for an operation in n8n's node search, such as "enrich company" and "enrich companies". */
function wordsFor({ resource, name, kind, aliases }: Operation): string[] {
	const records = `${resource.replace(/y$/, 'ie')}s`;
	const things = { list: [records], call: [resource, records] }[kind as 'list' | 'call'] ?? [];
	return [...things.map((thing) => `${name} ${thing}`.toLowerCase()), ...aliases];
}

test('finds no outdated codex file (categories, search words and links) of either node', async () => {
	const named = operations.map(({ resource, name }) => `${titleOfResource(resource)} ${name}`);
	const ofTrigger = JSON.parse(
		textOf('nodes/WorkspaceDataTrigger/WorkspaceDataTrigger.node.json'),
	) as { alias: string[] };
	const alias = [
		...named.map((name) => `Workspace Data: ${name}`),
		...operations.flatMap(wordsFor),
		'data service',
		// n8n's node search shows the node and the trigger as one result, and uses only the aliases of the node. So the
		// aliases of the node include those of the trigger.
		...ofTrigger.alias,
	];
	await expectCodex(WorkspaceData, 'operations', { alias });
	await expectCodex(WorkspaceDataTrigger, 'trigger');
});

/** Returns the output schema of an operation, with only the fields that docs/maintainers/api.md documents. */
function schemaOf(row: Operation): object {
	const text = { type: 'string' };
	const record = { id: text, created_at: text, updated_at: text };
	const isRecord = row.kind === 'list';
	return { type: 'object', properties: isRecord ? record : {}, version: 1 };
}

test.each(operations)('finds no outdated output schema of $resource:$operation', async (row) => {
	const file = `nodes/WorkspaceData/__schema__/v1.0.0/${row.resource}/${row.operation}.json`;
	await expectFile(file, JSON.stringify(schemaOf(row)));
});
