/** A workflow that reads changes, works with them and confirms them. */
import type { INode } from 'n8n-workflow';
import type { TableInMemory } from '../../../unit/WorkspaceData/sync/n8n.mts';
import {
	CREDENTIAL_TYPE,
	NODE_TYPE,
	PASS_NODE_TYPE,
	runWorkflow,
	START_NODE_TYPE,
	type WorkflowOptions,
	type WorkflowRun,
} from '../../harness/harness.mts';
import type { Bench } from '../../harness/support.mts';

type Json = Record<string, unknown>;

/** Get Changes, then work of the type `between`, by default none, and Confirm Changes. */
export async function runSync(
	bench: Bench,
	tables: TableInMemory,
	parameters: Json,
	more: {
		node?: Partial<INode>;
		apiKey?: string;
		between?: string;
		/** Further nodes of the kind of Get Changes, which nothing leads to. */
		extraNodes?: Array<Pick<INode, 'id' | 'name'>>;
	} & Partial<WorkflowOptions> = {},
): Promise<WorkflowRun> {
	const { node: settings, apiKey, between = PASS_NODE_TYPE, extraNodes = [], ...others } = more;
	const credentials = { [CREDENTIAL_TYPE]: { id: 'credential-under-test', name: 'Credential' } };
	const node = (name: string, type: string, rest: Partial<INode> = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...rest,
	});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	return await runWorkflow({
		nodes: [
			node('Start', START_NODE_TYPE),
			node('Get Changes', NODE_TYPE, {
				parameters: {
					resource: 'sync',
					operation: 'getChanges',
					...parameters,
				} as INode['parameters'],
				credentials,
				...settings,
			}),
			...extraNodes.map((one) => node(one.name, NODE_TYPE, one)),
			node('Work', between),
			node('Confirm Changes', NODE_TYPE, {
				parameters: { resource: 'sync', operation: 'confirm' },
				credentials,
			}),
		],
		connections: {
			Start: to('Get Changes'),
			'Get Changes': to('Work'),
			Work: to('Confirm Changes'),
		},
		startNode: 'Start',
		credentials: { 'credential-under-test': bench.v2(apiKey) },
		dataTables: tables,
		mode: 'trigger',
		...others,
	});
}
