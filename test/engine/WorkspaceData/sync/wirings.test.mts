/**
 * Tests Confirm Changes at different positions in a workflow. The node confirms changes only if all nodes that process
 * them come before it. Texts such as `Get > Work > Confirm` describe the workflows (see wirings.mts).
 */
import type { INode } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { TableInMemory } from '../../../unit/WorkspaceData/sync/n8n.mts';
import { runWorkflow, type WorkflowOptions } from '../../harness/harness.mts';
import { hintsOf, useSandbox, type WorkflowRun } from '../../harness/support.mts';
import { ofSync, standInTypes, workflowOf } from './wirings.mts';

const COMPANIES = 6;
const bench = useSandbox({ companies: COMPANIES });

/** Returns the number of changes from all runs of Get Changes. */
function countOf({ nodes }: WorkflowRun): number {
	const items = (nodes.Get ?? []).flatMap(({ outputs }) => outputs[0] ?? []);
	return items.reduce((sum, { json }) => sum + Number(json.count ?? 1), 0);
}

interface Settings {
	parameters?: object;
	/** Expected final status of the first run. Default: success. */
	status?: string;
	startItems?: object[];
	onError?: INode['onError'];
	/** Settings of the nodes between Get Changes and Confirm Changes, by name. */
	nodes?: Record<string, Partial<INode>>;
	/** Options of the first run. The second run is always in a published workflow. */
	first?: Partial<WorkflowOptions>;
}

const batches = { outputAs: 'batch', options: { maxRecords: 2 } };

/** Runs the workflow twice. The second run returns the changes that the first run did not confirm. */
async function runTwice(lines: string, settings: Settings = {}) {
	const { parameters = {}, startItems, onError, nodes, first } = settings;
	const dataTables = new TableInMemory();
	const get = { ...ofSync('getChanges', { objectType: 'company', ...parameters }), onError };
	const run = async (begun: Partial<WorkflowOptions> = {}): Promise<WorkflowRun> =>
		await runWorkflow({
			...workflowOf(`Start > Get; ${lines}`, get, nodes),
			...{ startNode: 'Start', startItems, mode: 'trigger', dataTables },
			credentials: { one: bench.v2() },
			extraNodeTypes: standInTypes,
			...begun,
		});
	return { first: await run(first), second: await run() };
}

const manual = { mode: 'manual' } as const;
/** Options for a run with "Execute step" on Confirm Changes. */
const step = { ...manual, destination: 'Confirm' };
const pinned = (name: string) => ({ ...manual, pinData: { [name]: [{ json: { loaded: true } }] } });
const disabled = { Work: { disabled: true } };
const alert = 'Get > Work > Confirm; Get:1 > Call';
const onAlert = { onError: 'continueErrorOutput' } as const;
const calling = (waitForSubWorkflow: unknown) => {
	return { Call: { parameters: { options: { waitForSubWorkflow } } } } as Settings['nodes'];
};

test.each<[where: string, lines: string, settings?: Settings]>([
	['at the Done branch of a loop', 'Get > Loop:1 > Work > Loop; Loop > Confirm'],
	['at Done of a loop, after Aggregate', 'Get > Loop:1 > Work > Loop; Loop > Aggregate > Confirm'],
	['after a Filter node', 'Get > Filter > Confirm'],
	['after an Aggregate node', 'Get > Aggregate > Confirm'],
	['after a node that splits items', 'Get > Split > Confirm'],
	['after two branches meet', 'Get > If > Work A > Merge; If:1 > Work B > Merge; Merge > Confirm'],
	['on one branch, after the other branch', 'Get > If:1 > Work B; If > Work A > Confirm'],
	['after a node with an error output', 'Get > Fallible:1 > Work B; Fallible > Confirm'],
	['in batches', 'Get > Work > Confirm > More > Get', { parameters: batches }],
	['after an item with all changes', 'Get > Work > Confirm', { parameters: { outputAs: 'batch' } }],
	['before a node that fails', 'Get > Work > Confirm > Fail', { status: 'error' }],
	['before a Wait node', 'Get > Work > Confirm > Wait', { status: 'waiting' }],
	[
		'at Done of a loop, after another loop',
		'Get > Loop:1 > Work > Loop; Loop > Loop 2:1 > Work 2 > Loop 2; Loop 2 > Confirm',
	],
	['at Done of a loop, in batches', 'Get > Loop:1 > Work > Loop; Loop > Confirm > More > Get'],
	['after a sub-workflow', 'Get > Call > Confirm'],
	['after an awaited sub-workflow', 'Get > Call > Confirm', { nodes: calling(true) }],
	['before a sub-workflow not awaited', 'Get > Work > Confirm > Call', { nodes: calling(false) }],
	['in a run in the editor', 'Get > Work > Confirm > Work 2', { first: manual }],
	['in a run with "Execute step"', 'Get > Work > Confirm', { first: step }],
	['before a node with pinned data', 'Get > Work > Confirm > Work 2', { first: pinned('Work 2') }],
	[
		'in the editor, before a deactivated node',
		'Get > Work > Confirm > Work 2',
		{ first: manual, nodes: { 'Work 2': { disabled: true } } },
	],
	...[{ nodes: calling(false) }, { nodes: { Call: { disabled: true } } }].flatMap(
		({ nodes }): Array<[string, string, Settings]> => [
			['beside an alert at an error output', alert, { ...onAlert, nodes }],
			['beside an alert, in the editor', alert, { ...onAlert, nodes, first: manual }],
		],
	),
	['in a run with "Execute step" that leaves out an alert', alert, { ...onAlert, first: step }],
])('confirms changes without a warning %s', async (_where, lines, settings = {}) => {
	const { first, second } = await runTwice(lines, settings);
	expect(first.status).toBe(settings.status ?? 'success');
	expect(countOf(first)).toBe(COMPANIES);
	const told = (first.nodes.Confirm ?? []).flatMap(hintsOf);
	expect(told.join()).toMatch(
		/^(Confirmed \d changes\. The next run returns only newer changes\.,?)+$/,
	);
	expect(countOf(second)).toBe(0);
});

const atDone = (loop: string): string => `Put Confirm Changes at the Done branch of "${loop}"`;
const whole = (node: string): string => `Run the whole workflow, with "${node}"`;
const waited = 'Turn on Wait For Sub-Workflow Completion in "Call"';
const oneAfterTheOther = (node: string): string =>
	`Put "${node}" and Confirm Changes one after the other`;

test.each<[where: string, lines: string, message: string, settings?: Settings]>([
	['in a loop', 'Get > Loop:1 > Work > Confirm > Loop', atDone('Loop')],
	[
		'in a loop inside a loop',
		'Get > Loop:1 > Loop 2:1 > Work > Confirm > Loop 2; Loop 2 > Loop',
		atDone('Loop'),
	],
	[
		'in a loop without Loop Over Items',
		'Get > Work > Confirm > More > Work',
		'Put Confirm Changes after the loop',
	],
	[
		'in a loop that runs for each batch',
		'Get > Loop:1 > Work > Confirm > Loop; Loop > More > Get',
		atDone('Loop'),
		{ parameters: batches },
	],
	['on only one branch', 'Get > If > Work A > Confirm; If:1 > Work B', oneAfterTheOther('Work B')],
	[
		'at the end of both branches',
		'Get > If > Work A > Confirm; If:1 > Work B > Confirm',
		oneAfterTheOther('Work B'),
	],
	[
		'before a branch at an error output has run',
		'Get > Fallible > Work A > Confirm; Fallible:1 > Work B',
		oneAfterTheOther('Work B'),
	],
	[
		'before a Merge node that waits for its other input',
		'Get > If:1 > Merge; If > Work > Confirm > Merge',
		oneAfterTheOther('Merge'),
	],
	[
		'in a run with "Execute step" that leaves out a branch',
		'Get > If > Work A > Merge > Confirm; If:1 > Work B > Work C',
		whole('Work B'),
		{ first: step },
	],
	['after a pinned node', 'Get > Work > Confirm', whole('Work'), { first: pinned('Work') }],
	[
		'beside a node with pinned data',
		'Get > If:1 > Work B; If > Work A > Confirm',
		whole('Work B'),
		{ first: pinned('Work B') },
	],
	[
		'at Done of a loop with pinned data',
		'Get > Loop:1 > Work > Loop; Loop > Confirm',
		whole('Work'),
		{ first: pinned('Work') },
	],
	[
		'in the editor, after a deactivated node',
		'Get > Work > Confirm',
		whole('Work'),
		{ first: manual, nodes: disabled },
	],
	[
		'in a retry of a run in the editor, after a deactivated node',
		'Get > Work > Confirm',
		whole('Work'),
		{ first: { mode: 'retry' }, nodes: disabled },
	],
	[
		'after a sub-workflow that is not awaited',
		'Get > Call > Confirm',
		waited,
		{ nodes: calling(false) },
	],
	[
		'beside a sub-workflow whose option to wait is an expression',
		'Get > Call; Get > Work > Confirm',
		waited,
		{ nodes: calling('={{ false }}') },
	],
])(
	'does not confirm changes %s, and returns them again in the next run',
	async (_where, lines, message, settings) => {
		const { first, second } = await runTwice(lines, settings);
		const error = first.nodes.Confirm?.[0].error;
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/"Get".* Nothing has been confirmed\.$/);
		expect(countOf(first)).toBeGreaterThan(1);
		expect(countOf(second)).toBe(countOf(first));
	},
);

test('confirms changes although a branch at the error output of Get Changes has not run yet', async () => {
	const { first, second } = await runTwice('Get > Work > Confirm; Get:1 > Work B', {
		parameters: { objectType: '={{ $json.type }}' },
		startItems: [{ type: 'contcats' }, { type: 'company' }],
		onError: 'continueErrorOutput',
	});
	expect(first.nodes['Work B'][0].outputs[0]).toHaveLength(1);
	expect(hintsOf(first.nodes.Confirm[0])).toEqual([expect.stringContaining('Confirmed 6 changes')]);
	expect(countOf(second)).toBe(0);
});

test('confirms changes in a published workflow with a deactivated node, and warns about this node', async () => {
	const { first, second } = await runTwice('Get > Work > Confirm > Work 2', {
		nodes: { ...disabled, 'Work 2': { disabled: true } },
	});
	const told = [
		'Confirmed 6 changes. The next run returns only newer changes.',
		'"Work" is deactivated, so these changes have not arrived there. Activate "Work", or remove it.',
	];
	expect(hintsOf(first.nodes.Confirm[0])).toEqual(told);
	expect(first.logs.map(({ message }) => message).join()).toContain(told[1]);
	expect(countOf(second)).toBe(0);
});
