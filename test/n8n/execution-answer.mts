import { createRequire } from 'node:module';
import path from 'node:path';
import type { Execution, NodeRun } from './rest.mts';
import type { Runtime } from './runtime.mts';

/** What n8n's REST API answers for an execution. */
export interface ExecutionAnswer {
	id: string;
	status: string;
	mode: string;
	data: string;
}

/** n8n sends an execution's data flattened by its `flatted` library, so that same library reads it. */
export function readExecution(found: ExecutionAnswer, runtime: Runtime): Execution {
	const require = createRequire(path.join(runtime.serverFolder, 'node_modules/n8n/package.json'));
	const { parse } = require('flatted') as { parse: (text: string) => unknown };
	const { resultData = {}, executionData } = parse(found.data) as {
		resultData?: { runData?: Execution['runs']; error?: Execution['error'] };
		executionData?: { nodeExecutionStack?: { node: { name: string }; data?: NodeRun['data'] }[] };
	};
	const runs = resultData.runData ?? {};
	const [next] = executionData?.nodeExecutionStack ?? [];
	// Where n8n's end cut it short, there is only what its trigger was to start it with.
	const isBegun = Object.keys(runs).length > 0 || next === undefined;
	return {
		id: String(found.id),
		status: found.status,
		mode: found.mode,
		...(resultData.error ? { error: resultData.error } : {}),
		runs: isBegun ? runs : { [next.node.name]: [{ data: next.data }] },
	};
}
