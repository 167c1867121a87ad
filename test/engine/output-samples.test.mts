/**
 * Writes docs/output-samples.md, which shows a sample of each kind of output. The samples come from runs against the
 * sandbox.
 */
import { expect, it } from 'vitest';
import { DataTables } from '../data-tables.mts';
import { filesOf } from './WorkspaceData/export/reading.mts';
import { jsonOf, useSandbox, type NodeRun, type RunOptions } from './harness/support.mts';

const bench = useSandbox({ companies: 3, deals: 3, orders: 0 });

const MAX_TEXT = 60;
/** Fields that differ in each run, and the values that the document shows instead. */
const CHANGING: Record<string, unknown> = { ctx_id: 'ctx_…', checkpoint: '{"version":…}' };

/**
 * Returns a value as a block of JSON for the document. Cuts long texts, and replaces values that differ in each run.
 */
function shown(value: unknown): string {
	const text = JSON.stringify(
		value,
		(name, part: unknown) => {
			if (name in CHANGING) return CHANGING[name];
			return typeof part === 'string' && part.length > MAX_TEXT
				? `${part.slice(0, MAX_TEXT)}…`
				: part;
		},
		'\t',
	);
	return `\`\`\`json\n${text}\n\`\`\``;
}

const domain = { dataToSend: 'json', jsonBody: '{"domain":"example.com"}' };
const companies = { resource: 'company', operation: 'getAll', returnAll: true };
const changes = { resource: 'sync', operation: 'getChanges', progress: 'given' };
const isContinued = { onError: 'continueRegularOutput' } as const;

/** Section of the document: its heading, a sentence about the output, and the parameters and options of the run. */
type Section = [
	title: string,
	sentence: string,
	parameters: Record<string, unknown>,
	more?: Partial<RunOptions>,
];

const sections: Section[] = [
	[
		'Get Many and Query: Items',
		'One item for each record.',
		{ ...companies, returnAll: false, limit: 1 },
	],
	[
		'Get Many and Query: Pages',
		'One item for each page, with the whole response. `nextCursor` and its `pageSize` continue the list in another run.',
		{
			...companies,
			outputAs: 'pages',
			options: { fields: 'id, name', pagination: { values: { pageSize: 2 } } },
		},
	],
	[
		'Get Many and Query: CSV Files, NDJSON Files',
		'One item for each file. The file itself is in the binary field `data`.',
		{ ...companies, outputAs: 'csv', options: { fields: 'id, name' } },
	],
	[
		'Get Changes: Items',
		'One item for each new or changed record, as in _Get Many_. The trigger returns the same items.',
		{ ...changes, progress: 'confirmed', options: { fields: 'id, updated_at', maxRecords: 1 } },
	],
	[
		'Get Changes: One Item per Run',
		'One item with all changes of the run.',
		{ ...changes, outputAs: 'batch', options: { fields: 'id, updated_at', maxRecords: 1 } },
	],
	['Enrich', 'The result of the call.', { resource: 'company', operation: 'enrich', ...domain }],
	[
		'Enrich with Include Input Fields',
		'The input item, with the result as `enrichment` (_Score_: `score`, _Prospect_: `company`).',
		{ resource: 'company', operation: 'enrich', ...domain, includeInputFields: true },
		{ items: [{ row: 2, domain: 'example.com' }] },
	],
	['Score', 'The result of the call.', { resource: 'company', operation: 'score', ...domain }],
	[
		'Prospect',
		'One item for each company that was found; here the first.',
		{ resource: 'company', operation: 'prospect', ...domain },
	],
	[
		'Preview Only',
		'One item for the whole run. Nothing is sent.',
		{ resource: 'company', operation: 'enrich', ...domain, previewOnly: true },
	],
	['Who Am I', 'The response of the service.', { resource: 'workspace', operation: 'whoAmI' }],
	[
		'An item that failed',
		'With _On Error: Continue_. `details` of a list has `nextCursor` and `pageSize` to continue with.',
		{ resource: 'company', operation: 'enrich', dataToSend: 'json', jsonBody: '{}' },
		isContinued,
	],
];

async function sectionOf([title, sentence, parameters, more]: Section): Promise<string> {
	const run: NodeRun = await bench.run(parameters, { dataTables: new DataTables(), ...more });
	expect(run.error?.message, title).toBeUndefined();
	const [first] = jsonOf(run);
	expect(first, title).toBeDefined();
	const isFile = parameters.outputAs === 'csv';
	const text = isFile ? (await filesOf(run))[0]!.text.split('\r\n').slice(0, 2).join('\n') : '';
	const content = isFile ? `\n\nThe file begins with:\n\n\`\`\`text\n${text}\n\`\`\`` : '';
	return `## ${title}\n\n${sentence}\n\n${shown(first)}${content}`;
}

it('writes a sample of every kind of output into docs/output-samples.md', async () => {
	const parts: string[] = [];
	for (const section of sections) parts.push(await sectionOf(section));
	const page = `# What the nodes return

<!-- Written by \`npm run generate\`; changes made by hand are lost. -->

Samples from the local test service. The fields of records and results are those of your service, and long texts are cut here.

${parts.join('\n\n')}
`;
	await expect(page).toMatchFileSnapshot('../../docs/output-samples.md');
});
