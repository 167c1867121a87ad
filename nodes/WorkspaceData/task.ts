import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Session } from '../common/session';
import type { Endpoint, Operation } from './operation-row';
import type { GetParameter } from '../common/parameters';

/** One input item on its way through an operation. */
export interface Task {
	context: IExecuteFunctions;
	operation: Operation;
	session: Session;
	/** What to call with the session's kind of credential. */
	endpoint: Endpoint;
	itemIndex: number;
	item: INodeExecutionData;
	/** Throws InputProblem for a parameter or option whose expression gives nothing. */
	get: GetParameter;
	/** The Options collection, read once. */
	options: Record<string, unknown>;
	/** The node's parameters as the user wrote them, expressions unresolved. */
	rawParameters: Readonly<Record<string, unknown>>;
	/** Where results go, in order. A runner adds them as they come, so that what was read before a failure is kept. */
	output: INodeExecutionData[];
	/** The names of the files of this run, so that no two are alike. */
	fileNames: Set<string>;
}

/** Does the work of one kind of operation for one input item. */
export type Runner = (task: Task) => Promise<void>;

/** Adds items to the output of an input item. */
export function putOut({ output, itemIndex }: Task, values: readonly object[]): void {
	const pairedItem = { item: itemIndex };
	// One push per record: spreading a page into push() overflows the stack at about 130,000 records.
	for (const json of values as Array<INodeExecutionData['json']>) output.push({ json, pairedItem });
}

/** n8n runs a node as a tool either as a node of its own type (with "Tool" at the end) or through its tool wrapper. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool') || context.isToolExecution?.() === true;
}
