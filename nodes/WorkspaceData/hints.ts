import type { IExecuteFunctions } from 'n8n-workflow';

/** By execution, what has happened in it. */
const happenedIn = new WeakMap<IExecuteFunctions, Set<string>>();

/** Whether something happens in this execution for the first time. */
export function isFirst(context: IExecuteFunctions, what: string): boolean {
	const happened = happenedIn.get(context) ?? new Set();
	happenedIn.set(context, happened);
	const { size } = happened;
	return happened.add(what).size > size;
}

/** Shows a hint under the output. Versions of n8n before hints lack the function. */
export function hint(context: IExecuteFunctions, message: string): void {
	context.addExecutionHints?.({ message, location: 'outputPane' });
}

/** The same, and in n8n's log: nobody looks at the output of a scheduled run. */
export function warn(context: IExecuteFunctions, message: string): void {
	context.logger.warn(`Workspace Data: ${message}`);
	hint(context, message);
}

/** A hint that several input items may give reason to show: once per execution is enough. */
export function hintOnce(context: IExecuteFunctions, topic: string, message: string): void {
	if (isFirst(context, `hint ${topic}`)) hint(context, message);
}
