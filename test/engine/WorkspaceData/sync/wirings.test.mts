/** Tests Confirm Changes at every position in a workflow. It confirms only changes that no later failure can lose. */
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
	/** Final status of the first execution. */
	status?: string;
	startItems?: object[];
	onError?: INode['onError'];
	/** Settings of the nodes between Get Changes and Confirm Changes, by name. */
	nodes?: Record<string, Partial<INode>>;
	/** Options of the first run. The second run is always a run of the published workflow. */
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
/** The command "Execute step" on Confirm Changes. */
const step = { ...manual, destination: 'Confirm' };
const pinned = (name: string) => ({ ...manual, pinData: { [name]: [{ json: { loaded: true } }] } });
const disabled = { Work: { disabled: true } };
const alert = 'Get > Work > Confirm; Get:1 > Call';
const onAlert = { onError: 'continueErrorOutput' } as const;
const calling = (waitForSubWorkflow: unknown) => {
	return { Call: { parameters: { options: { waitForSubWorkflow } } } } as Settings['nodes'];
};

test.each<[where: string, lines: string, settings?: Settings]>([
	['at Done of a loop', 'Get > Loop:1 > Work > Loop; Loop > Confirm'],
	['at Done, behind an Aggregate', 'Get > Loop:1 > Work > Loop; Loop > Aggregate > Confirm'],
	['behind a filter', 'Get > Filter > Confirm'],
	['behind an Aggregate', 'Get > Aggregate > Confirm'],
	['behind a split', 'Get > Split > Confirm'],
	['where branches meet', 'Get > If > Work A > Merge; If:1 > Work B > Merge; Merge > Confirm'],
	['on one branch, the other has run', 'Get > If:1 > Work B; If > Work A > Confirm'],
	['after what has an error output', 'Get > Fallible:1 > Work B; Fallible > Confirm'],
	['in portions', 'Get > Work > Confirm > More > Get', { parameters: batches }],
	['after a batch', 'Get > Work > Confirm', { parameters: { outputAs: 'batch' } }],
	['before a step that fails', 'Get > Work > Confirm > Fail', { status: 'error' }],
	['before a wait', 'Get > Work > Confirm > Wait', { status: 'waiting' }],
	[
		'at Done, after another loop',
		'Get > Loop:1 > Work > Loop; Loop > Loop 2:1 > Work 2 > Loop 2; Loop 2 > Confirm',
	],
	['at Done, in portions', 'Get > Loop:1 > Work > Loop; Loop > Confirm > More > Get'],
	['after a sub-workflow', 'Get > Call > Confirm'],
	['after one that is waited for', 'Get > Call > Confirm', { nodes: calling(true) }],
	['before one that is not', 'Get > Work > Confirm > Call', { nodes: calling(false) }],
	['in the editor', 'Get > Work > Confirm > Work 2', { first: manual }],
	['as the step of its only path', 'Get > Work > Confirm', { first: step }],
	['before what is pinned', 'Get > Work > Confirm > Work 2', { first: pinned('Work 2') }],
	[
		'in the editor, before what is deactivated',
		'Get > Work > Confirm > Work 2',
		{ first: manual, nodes: { 'Work 2': { disabled: true } } },
	],
	...[{ nodes: calling(false) }, { nodes: { Call: { disabled: true } } }].flatMap(
		({ nodes }): Array<[string, string, Settings]> => [
			['beside an alert at its error output', alert, { ...onAlert, nodes }],
			['the same in the editor', alert, { ...onAlert, nodes, first: manual }],
		],
	),
	['as a step without such an alert', alert, { ...onAlert, first: step }],
])('confirms %s, without a warning', async (_where, lines, settings = {}) => {
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
		'in a circle of another kind',
		'Get > Work > Confirm > More > Work',
		'Put Confirm Changes after the loop',
	],
	[
		'in a loop inside portions',
		'Get > Loop:1 > Work > Confirm > Loop; Loop > More > Get',
		atDone('Loop'),
		{ parameters: batches },
	],
	['on one branch', 'Get > If > Work A > Confirm; If:1 > Work B', oneAfterTheOther('Work B')],
	[
		'at the end of both branches',
		'Get > If > Work A > Confirm; If:1 > Work B > Confirm',
		oneAfterTheOther('Work B'),
	],
	[
		'before the branch of an error output',
		'Get > Fallible > Work A > Confirm; Fallible:1 > Work B',
		oneAfterTheOther('Work B'),
	],
	[
		'beside a Merge that waits',
		'Get > If:1 > Merge; If > Work > Confirm > Merge',
		oneAfterTheOther('Merge'),
	],
	[
		'as a step that leaves a branch out',
		'Get > If > Work A > Merge > Confirm; If:1 > Work B > Work C',
		whole('Work B'),
		{ first: step },
	],
	['after what is pinned', 'Get > Work > Confirm', whole('Work'), { first: pinned('Work') }],
	[
		'beside what is pinned',
		'Get > If:1 > Work B; If > Work A > Confirm',
		whole('Work B'),
		{ first: pinned('Work B') },
	],
	[
		'at Done of a loop with what is pinned',
		'Get > Loop:1 > Work > Loop; Loop > Confirm',
		whole('Work'),
		{ first: pinned('Work') },
	],
	[
		'in the editor, after what is deactivated',
		'Get > Work > Confirm',
		whole('Work'),
		{ first: manual, nodes: disabled },
	],
	[
		'in a retry of a run in the editor, after what is deactivated',
		'Get > Work > Confirm',
		whole('Work'),
		{ first: { mode: 'retry' }, nodes: disabled },
	],
	[
		'after a sub-workflow that is not waited for',
		'Get > Call > Confirm',
		waited,
		{ nodes: calling(false) },
	],
	[
		'beside a sub-workflow whose waiting is an expression',
		'Get > Call; Get > Work > Confirm',
		waited,
		{ nodes: calling('={{ false }}') },
	],
])(
	'refuses to confirm %s, and the next run returns the same changes',
	async (_where, lines, message, settings) => {
		const { first, second } = await runTwice(lines, settings);
		const error = first.nodes.Confirm?.[0].error;
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/"Get".* Nothing has been confirmed\.$/);
		expect(countOf(first)).toBeGreaterThan(1);
		expect(countOf(second)).toBe(countOf(first));
	},
);

test('confirms the changes read, although the error output of Get Changes still has to be processed', async () => {
	const { first, second } = await runTwice('Get > Work > Confirm; Get:1 > Work B', {
		parameters: { objectType: '={{ $json.type }}' },
		startItems: [{ type: 'contcats' }, { type: 'company' }],
		onError: 'continueErrorOutput',
	});
	expect(first.nodes['Work B'][0].outputs[0]).toHaveLength(1);
	expect(hintsOf(first.nodes.Confirm[0])).toEqual([expect.stringContaining('Confirmed 6 changes')]);
	expect(countOf(second)).toBe(0);
});

test('confirms in a published workflow although a node is deactivated, and names that node in a warning', async () => {
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
