import path from 'node:path';
import type { IExecuteFunctions } from 'n8n-workflow';

import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';
import { root } from './imports.mts';

/** One function of this package that waits for a request while it is sent. */
export interface Step {
	name: string;
	file: string;
}

/** From the request back to the node's `execute`. */
function stepsIn(stack: string): Step[] {
	return stack.split('\n').flatMap((line) => {
		const [, name = '', file = ''] =
			/at (?:async )?(?:(\S+) )?.*?\(?(\/[^:()]+):\d+/.exec(line) ?? [];
		if (!file.startsWith(`${root}nodes/`)) return [];
		return [{ name: name.replace(/^.*\./, ''), file: path.relative(root, file) }];
	});
}

const parameters: Record<string, unknown> = {
	resource: 'company',
	operation: 'getAll',
	returnAll: true,
	options: { pagination: { values: { pageSize: 2 } } },
};
const answer = JSON.stringify({
	data: { items: [{ id: '1' }] },
	meta: { pagination: { total: 1 } },
});

async function stackOfRequest(): Promise<string> {
	let stack = '';
	const context = {
		getNode: () => ({ type: 'workspaceData', parameters }),
		getNodeParameter: (name: string, _index: number, fallback?: unknown) =>
			parameters[name] ?? fallback,
		getInputData: () => [{ json: {} }],
		getExecuteData: () => ({}),
		getTimezone: () => 'UTC',
		getCredentials: async () => ({
			baseUrl: 'https://api.example.com',
			apiVersion: 'v2',
			apiKey: 'fake-key-of-this-test',
		}),
		continueOnFail: () => false,
		helpers: {
			httpRequestWithAuthentication: async () => {
				stack = new Error('sent').stack ?? '';
				return { statusCode: 200, headers: {}, body: answer };
			},
		},
	};
	await new WorkspaceData().execute.call(context as unknown as IExecuteFunctions);
	return stack;
}

/** Runs Company: Get Many, and gives what waits for its request: from the last function back to the node's `execute`. */
export async function stepsOfRequest(): Promise<Step[]> {
	const before = Error.stackTraceLimit;
	Error.stackTraceLimit = 200;
	return stepsIn(await stackOfRequest().finally(() => (Error.stackTraceLimit = before)));
}
