import path from 'node:path';
import type { IExecuteFunctions } from 'n8n-workflow';

import { WorkspaceData } from '../../nodes/WorkspaceData/WorkspaceData.node.ts';

const root = path.resolve(import.meta.dirname, '../..');

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
		if (!file.startsWith(`${root}/nodes/`)) return [];
		return [{ name: name.replace(/^.*\./, ''), file: path.relative(root, file) }];
	});
}

const parameters: Record<string, unknown> = {
	resource: 'company',
	operation: 'getAll',
	returnAll: true,
	options: { pageSize: 2 },
};
const answer = JSON.stringify({
	data: { items: [{ id: '1' }] },
	meta: { pagination: { total: 1 } },
});

async function stackOfRequest(): Promise<string> {
	let stack = '';
	const context: Partial<IExecuteFunctions> = {
		getNode: () =>
			({ type: 'workspaceData', parameters }) as ReturnType<IExecuteFunctions['getNode']>,
		getNodeParameter: ((name: string, _index: number, fallback?: unknown) =>
			parameters[name] ?? fallback) as IExecuteFunctions['getNodeParameter'],
		getInputData: () => [{ json: {} }],
		getExecuteData: () => ({}) as ReturnType<IExecuteFunctions['getExecuteData']>,
		getTimezone: () => 'UTC',
		getCredentials: async () =>
			({
				baseUrl: 'https://api.example.com',
				apiVersion: 'v2',
				apiKey: 'fake-key-of-this-test',
			}) as never,
		continueOnFail: () => false,
		helpers: {
			httpRequestWithAuthentication: async () => {
				stack = new Error('sent').stack ?? '';
				return { statusCode: 200, headers: {}, body: answer };
			},
		} as unknown as IExecuteFunctions['helpers'],
	};
	await new WorkspaceData().execute.call(context as IExecuteFunctions);
	return stack;
}

/** Runs Company: Get Many, and gives what waits for its request: from the last function back to the node's `execute`. */
export async function stepsOfRequest(): Promise<Step[]> {
	const before = Error.stackTraceLimit;
	Error.stackTraceLimit = 200;
	return stepsIn(await stackOfRequest().finally(() => (Error.stackTraceLimit = before)));
}
