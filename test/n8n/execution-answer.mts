import { createRequire } from 'node:module';
import path from 'node:path';
import type { Execution, NodeRun } from './rest.mts';
import type { Runtime } from './runtime.mts';

/** Execution, as n8n's REST API returns it. */
export interface ExecutionAnswer {
	id: string;
	status: string;
	mode: string;
	data: string;
}

/**
 * Parses the data of an execution with n8n's copy of the library `flatted`, because n8n serialises the data with this
 * library.
 */
export function readExecution(found: ExecutionAnswer, runtime: Runtime): Execution {
	const require = createRequire(path.join(runtime.serverFolder, 'node_modules/n8n/package.json'));
	const { parse } = require('flatted') as { parse: (text: string) => unknown };
	const { resultData = {}, executionData } = parse(found.data) as {
		resultData?: { runData?: Execution['runs']; error?: Execution['error'] };
		executionData?: { nodeExecutionStack?: { node: { name: string }; data?: NodeRun['data'] }[] };
	};
	const runs = resultData.runData ?? {};
	const [next] = executionData?.nodeExecutionStack ?? [];
	// If n8n was killed before the first node ran, return the input that n8n had planned for this node.
	const isBegun = Object.keys(runs).length > 0 || next === undefined;
	return {
		id: String(found.id),
		status: found.status,
		mode: found.mode,
		...(resultData.error ? { error: resultData.error } : {}),
		runs: isBegun ? runs : { [next.node.name]: [{ data: next.data }] },
	};
}
