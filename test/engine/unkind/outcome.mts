/** What came of one history: exactly right, or an error that a person can do something with. */
import type { INodeExecutionData } from 'n8n-workflow';
import { expect } from 'vitest';
import type { Sandbox, Unkindness } from '../../sandbox/types.mts';
import type { RunOptions } from '../harness/harness.mts';
import { secretValues, type NodeRun } from '../harness/support.mts';
import { scripted, type DrawnFault, type DrawnHistory } from './drawing.mts';

/**
 * `error`: something is missing, and it was said. `hidden`: something is missing, and nothing in the answers shows it
 * (see `isHidden`). Anything else fails the history.
 */
export type Outcome = 'right' | 'error' | 'hidden';

/** What a history is played in. */
export interface World {
	/** The service, with the history's records. */
	sandbox: Sandbox;
	/** Where the service says that it has moved to. It must never be asked. */
	moved: Sandbox;
	credential: Record<string, unknown>;
	/** Runs the node with these parameters. */
	run(parameters: Record<string, unknown>, options?: Partial<RunOptions>): Promise<NodeRun>;
}

/** Makes the service unkind, and lets it fail as drawn. */
export function disturb(
	{ sandbox, moved }: World,
	unkind: Unkindness,
	faults: readonly DrawnFault[],
	path?: string,
): void {
	sandbox.setUnkind({ ...unkind, ...(unkind.redirectTo && { redirectTo: moved.url }) });
	sandbox.clearFaults();
	for (const fault of scripted(faults)) sandbox.addFault({ ...fault, path });
}

/** The settings that stay when everything else is kind again: the records look and lie as before. */
export function lastingOf({
	numericIds,
	undated,
	dates,
	zonelessDates,
	trimmedDates,
	descending,
}: Unkindness): Unkindness {
	return { numericIds, undated, dates, zonelessDates, trimmedDates, descending };
}

/** What an error says, thrown or as an item. */
export interface Said {
	message: string;
	description: string;
	details: Record<string, unknown>;
}

/** True for the item that a failed input gives under "Continue". */
export function isErrorItem({ json, error }: INodeExecutionData): boolean {
	return error !== undefined || ('error' in json && 'details' in json);
}

/** The error items of a run, wherever they came out. */
export function errorItemsOf(run: NodeRun): INodeExecutionData[] {
	return run.outputs.flat().filter(isErrorItem);
}

/** The items of a run that are no error items. */
export function resultItemsOf(run: NodeRun): INodeExecutionData[] {
	return (run.outputs[0] ?? []).filter((item) => !isErrorItem(item));
}

/** What the error item says. */
export function saidBy({ json }: INodeExecutionData): Said {
	return {
		message: String(json.error),
		description: String(json.message),
		details: (json.details ?? {}) as Record<string, unknown>,
	};
}

/** What a thrown error says. */
export function saidByError(error: object): Said {
	const { message, description, context } = error as {
		message: string;
		description?: string | null;
		context?: { details?: Record<string, unknown> };
	};
	return { message, description: description ?? '', details: context?.details ?? {} };
}

/** An error says what happened and what to do, in words of this package, and never a key. */
export function expectHelpful(
	said: Said,
	{ unkind, faults }: Pick<DrawnHistory, 'unkind' | 'faults'>,
	{ moved }: World,
): void {
	const text = `${said.message}\n${said.description}`;
	expect(said.message).not.toBe('');
	expect(said.description).not.toBe('');
	expect(text).not.toMatch(/Something unexpected|undefined|\[object|TypeError|Cannot read/);
	if (unkind.redirectTo !== undefined && faults.length === 0) expect(text).toContain(moved.url);
	expectNoSecretIn(said);
}

/** No credential may be shown in what this is made of. */
export function expectNoSecretIn(shown: unknown): void {
	const text = JSON.stringify(shown, (_key, value: unknown) =>
		typeof value === 'bigint'
			? String(value)
			: value instanceof Error
				? { ...value, message: value.message, stack: value.stack, cause: value.cause }
				: value,
	);
	for (const secret of secretValues) {
		expect(text?.includes(secret) ?? false, `a key was shown: ${text?.slice(0, 3000)}`).toBe(false);
	}
}

/** Errors, hints and log lines are this package's own words. What the service put into its data is not. */
export function expectNoSecret(run: NodeRun): void {
	const { error, hints, logs } = run;
	expectNoSecretIn({ error, hints, logs, errors: errorItemsOf(run) });
}

/** Brings the service back to kindness, as far as the records allow. */
export function makeKind({ sandbox, moved }: World, unkind: Unkindness): void {
	expect(moved.requests).toEqual([]);
	sandbox.setUnkind(lastingOf(unkind));
	sandbox.clearFaults();
	sandbox.setLatency(0);
}
