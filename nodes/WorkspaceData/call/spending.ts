import type { IExecuteFunctions } from 'n8n-workflow';

/** Shown with an execution, in n8n's list of them and by its API. */
const KEY = 'workspaceDataCalls';

/** Adds to the number of calls of this execution that may be billed. Does nothing where n8n keeps no such data. */
export function addBilledCalls(context: IExecuteFunctions, count: number): void {
	try {
		// Older versions of n8n lack it.
		const { customData } = context as Partial<Pick<IExecuteFunctions, 'customData'>>;
		const before = Number(customData?.get(KEY)) || 0;
		customData?.set(KEY, String(before + count));
	} catch {
		// No call fails because n8n cannot write down that it was made.
	}
}
